import { sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import type { Actor } from "../app/accounts/actor.server.ts";
import { users } from "../app/accounts/tables.server.ts";
import { day, now } from "../app/platform/clock.ts";
import { insertManyForAdmins } from "./support/rows/many-for-admins.ts";
import { insertManyJobs } from "../db/demo/many-jobs.server.ts";
import { insertManyReviews } from "../db/demo/many-reviews.server.ts";
import { people } from "./support/rows/people.ts";
import { type RunningApp, runningApp } from "./support/product/running.ts";

/** Staff screens with twenty thousand people, emails, messages, audit events, reported listings, and reviews in each state. */
const many = 20_000;

let app: RunningApp;
let gita: Actor;

beforeAll(async () => {
  app = await runningApp(async (db) => {
    ({ gita } = await people(db));
    // A day ago, so that many are overdue at any time of day.
    await insertManyReviews(db, many, new Date(now().getTime() - day));
    await insertManyForAdmins(db, many, now());
    await insertManyJobs(db, many, now());
    await db.execute(sql`insert into job_reports (job_id, email, reason, created_at, confirmed_at)
      select id, 'p@example.com', 'fake', now(), now() from jobs`);
  });
});

test.each([
  "/admin/users?sort=email.asc",
  "/admin/users?sort=role.desc",
  "/admin/users?search=p9",
  "/admin/reviews",
  "/admin/reviews?sort=due.asc",
  "/admin/reviews/assigned",
  "/admin/reviews/assigned?sort=due.asc",
  "/admin/reviews/assigned?sort=user.asc",
  "/admin/reviews/completed",
  "/admin/reviews?search=p9",
  "/admin/reviews/assigned?search=example.com&sort=user.asc",
  "/admin/reviews/completed?search=person+1",
  "/admin/history",
  "/admin/mail",
  "/admin/mail?state=failing",
  "/admin/messages",
  "/admin/messages?state=answered",
  "/admin/messages?state=all&search=about+9",
  "/admin/jobs/reports",
  "/admin/payments",
  "/admin/orders?state=success",
])("%s pages forward and back through a long list", async (path) => {
  const first = await read(path);
  expect(first.next).toBeDefined();
  const second = await read(first.next!);
  expect(first.rows.length).toBeGreaterThanOrEqual(20);
  expect(first.rows.length).toBeLessThanOrEqual(200);
  expect(second.rows).toHaveLength(first.rows.length);
  expect(second.rows.filter((row) => first.rows.includes(row))).toEqual([]);
  expect(first.previous).toBeUndefined();
  const back = await read(second.previous!);
  expect(back.rows).toHaveLength(first.rows.length);
  expect(back.previous).toBeUndefined();
});

test("the overview counts all people, but overdue reviews only up to a thousand", async () => {
  const { html } = await read("/admin");
  const people = await app.db.$count(users);
  expect(people).toBeGreaterThan(many);
  expect(html).toContain(people.toLocaleString("en-IN"));
  expect(html).toMatch(/1,000\+<\/span> <span>assigned reviews are overdue/);
});

async function read(path: string) {
  const answer = await fetch(app.origin + path, { headers: { cookie: await app.cookieOf(gita) } });
  expect(answer.status, path).toBe(200);
  const html = await answer.text();
  const body = /<tbody[^>]*>([\s\S]*?)<\/tbody>/.exec(html)?.[1] ?? "";
  const linked = (text: string) =>
    new RegExp(`href="([^"]*)"[^>]*>${text}<`).exec(html)?.[1]?.replaceAll("&amp;", "&");
  const rows = body.split("</tr>").filter((row) => row.includes("<td"));
  return { html, rows, previous: linked("Previous page"), next: linked("Next page") };
}
