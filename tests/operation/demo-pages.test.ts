import { and, eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { users } from "../../app/accounts/tables.server.ts";
import { minute } from "../../app/platform/clock.ts";
import { serviceReviews } from "../../app/reviews/tables.server.ts";
import { ownFolder } from "../support/product/own-folder.ts";
import { actAs } from "../support/product/own-product.ts";
import { runningApp } from "../support/product/running.ts";

/** The text of the notice about pages that are not rendered yet. */
const coming = /Preparing page/;

test("a demo renders its first review automatically and stays responsive", async () => {
  const { db, origin } = await runningApp(undefined, { DATA_DIR: ownFolder(), DEMO_PAGES: "on" });
  const [review] = await db
    .select({ id: serviceReviews.id })
    .from(serviceReviews)
    .innerJoin(users, eq(users.id, serviceReviews.userId))
    .where(and(eq(users.email, "asha@example.com"), eq(serviceReviews.status, "completed")));
  const cookie = await actAs(origin, "asha@example.com");
  const unfinished = sql`
    select 1 from service_reviews review join stored_files file
      on file.path in (review.resume_file_path, review.portfolio_file_path)
    left join rendered_files rendered on rendered.file_id = file.id
    where review.id = ${review!.id} and rendered.state is distinct from 'done'`;
  // Each check also sends a request, which fails if the process is blocked.
  const check = async () => {
    const { status } = await fetch(origin);
    return { status, left: (await db.execute(unfinished)).rows.length };
  };
  await expect
    .poll(check, { timeout: 2 * minute, interval: 200 })
    .toEqual({ status: 200, left: 0 });
  const page = await fetch(`${origin}/service-review/${review!.id}`, { headers: { cookie } });
  expect(page.status).toBe(200);
  const html = await page.text();
  expect(html).toContain("/pictures/");
  expect(html).not.toMatch(coming);
});
