import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { testDatabase } from "../../tests/support/database.ts";
import { people, person } from "../../tests/support/people.ts";
import {
  assignedReview,
  completedReview,
  pendingReview,
} from "../../tests/support/review-states.ts";
import { profiles, users } from "../accounts/tables.server.ts";
import { jobs } from "../jobs/tables.server.ts";
import { orders } from "../payments/tables.server.ts";
import { day, monthStart, now, second } from "../platform/clock.ts";
import type { Database } from "../platform/database.server.ts";
import { serviceReviews } from "../reviews/tables.server.ts";
import {
  countActiveJobs,
  countActiveReviews,
  countUsers,
  listRecentUsers,
  readRevenue,
} from "./overview.server.ts";

let db: Database;
let who: Awaited<ReturnType<typeof people>>;

beforeAll(async () => {
  ({ db } = await testDatabase());
});
beforeEach(async () => {
  for (const table of [orders, serviceReviews, jobs]) await db.delete(table);
  await db.execute(sql`truncate ${users} cascade`);
  who = await people(db);
});

async function order(
  amount: string,
  createdAt: Date,
  status: "success" | "failed" | "pending" = "success",
) {
  await db.insert(orders).values({
    orderId: `TXN_${randomUUID()}`,
    buyerId: who.asha.id,
    amount,
    status,
    purpose: {},
    checkoutFields: {},
    createdAt,
  });
}

test("users, reviews that somebody works on and jobs on the board are counted", async () => {
  expect(await countActiveReviews(db, who.gita)).toBe(0);
  expect(await countActiveJobs(db, who.gita)).toBe(0);
  expect(await countUsers(db, who.gita)).toBe(8);
  await pendingReview(db, who.asha);
  await assignedReview(db, who.asha, who.meera);
  await completedReview(db, who.asha, who.meera);
  const job = {
    title: "Designer",
    company: "Studio",
    location: "Pune",
    description: "Draw",
    jobType: "Full-time" as const,
    postedAt: now(),
    createdBy: who.devi.id,
  };
  await db.insert(jobs).values([job, { ...job, isArchived: true }]);
  expect(await countActiveReviews(db, who.gita)).toBe(1);
  expect(await countActiveJobs(db, who.gita)).toBe(1);
});

test("revenue counts successful orders of this month and of the last, as months go in India", async () => {
  const moment = new Date("2026-03-15T12:00:00Z");
  const begin = monthStart(moment);
  await order("199.00", begin);
  await order("299.00", new Date("2026-03-31T18:29:59Z"));
  await order("199", new Date(begin.getTime() - second));
  await order("99.50", monthStart(moment, -1));
  await order("500.00", new Date(monthStart(moment, -1).getTime() - second));
  await order("500.00", new Date("2026-03-31T18:30:00Z"));
  await order("500.00", moment, "failed");
  await order("500.00", moment, "pending");
  expect(await readRevenue(db, who.gita, moment)).toEqual({ current: 498_00, previous: 298_50 });
});

test("amounts that are no numbers count as nothing, and a month without orders is 0", async () => {
  expect(await readRevenue(db, who.gita, now())).toEqual({ current: 0, previous: 0 });
  for (const amount of ["", "abc", "NaN", "1e3", "-5", "199.00"]) await order(amount, now());
  expect((await readRevenue(db, who.gita, now())).current).toBe(199_00);
});

test("many orders of one month are added without losing a paisa", async () => {
  await db.execute(sql`
    insert into orders (order_id, amount, status, purpose, checkout_fields, created_at)
    select 'TXN_' || n, '9999999.99', 'success', '{}', '{}', ${now().toISOString()}::timestamptz
    from generate_series(1, 5000) n`);
  expect((await readRevenue(db, who.gita, now())).current).toBe(999_999_999 * 5000);
});

test("recent users are those of the last five days, the newest first, ten at most", async () => {
  await db.update(profiles).set({ createdAt: new Date(now().getTime() - 6 * day) });
  expect(await listRecentUsers(db, who.gita, now())).toEqual([]);
  const moment = now();
  for (let index = 0; index < 12; index++) {
    const { id } = await person(db, `New ${index}`);
    const createdAt = new Date(moment.getTime() - index * (day / 2) + (index === 10 ? 1 : 0));
    await db.execute(
      sql`update profiles set created_at = ${createdAt.toISOString()}::timestamptz where id = ${id}`,
    );
  }
  const recent = await listRecentUsers(db, who.gita, moment);
  expect(recent.map(({ fullName }) => fullName)).toEqual(
    Array.from({ length: 10 }, (_, index) => `New ${index}`),
  );
});
