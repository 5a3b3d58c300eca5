import { and, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { users } from "../../app/accounts/tables.server.ts";
import { serviceReviews } from "../../app/reviews/tables.server.ts";
import { ownFolder } from "../support/product/own-folder.ts";
import { actAs } from "../support/product/own-product.ts";
import { runningApp } from "../support/product/running.ts";

test("the first visitor of a demo sees a review's pages immediately", async () => {
  const { db, origin } = await runningApp(undefined, { DATA_DIR: ownFolder(), DEMO_PAGES: "on" });
  const [review] = await db
    .select({ id: serviceReviews.id })
    .from(serviceReviews)
    .innerJoin(users, eq(users.id, serviceReviews.userId))
    .where(and(eq(users.email, "asha@example.com"), eq(serviceReviews.status, "completed")));
  const cookie = await actAs(origin, "asha@example.com");
  const page = await fetch(`${origin}/service-review/${review!.id}`, { headers: { cookie } });
  expect(page.status).toBe(200);
  const html = await page.text();
  expect(html).not.toContain("Preparing page");
  const [address] = /\/pictures\/[\w/-]+\.webp/.exec(html)!;
  const picture = await fetch(origin + address, { headers: { cookie } });
  expect([picture.status, picture.headers.get("Content-Type")]).toEqual([200, "image/webp"]);
});
