import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { testDatabase } from "../../tests/support/product/database.ts";
import { startedOrder } from "../../tests/support/payments/payments.ts";
import { person } from "../../tests/support/rows/people.ts";
import {
  assignedReview,
  completedReview,
  pendingReview,
} from "../../tests/support/rows/review-states.ts";
import { profiles, users } from "../accounts/tables.server.ts";
import { jobs } from "../jobs/tables.server.ts";
import { mails } from "../mail/tables.server.ts";
import { orders } from "../payments/tables.server.ts";
import { day, hour, minute, now } from "../platform/clock.ts";
import { serviceReviews } from "../reviews/tables.server.ts";
import {
  countActiveJobs,
  countActiveReviews,
  countUsers,
  listNewestOrdersToResolve,
  listRecentUsers,
  listUndeliveredMails,
} from "./overview.server.ts";
import { everybody } from "../../tests/support/rows/everybody.ts";
import { insertJobs } from "../../tests/support/rows/jobs.ts";

const { db } = await testDatabase();

beforeEach(async () => {
  for (const table of [serviceReviews, orders, mails, jobs, users]) await db.delete(table);
});
const who = everybody(db);

test("the overview counts users, assigned reviews and published jobs", async () => {
  expect(await countActiveReviews(db, who.gita)).toBe(0);
  expect(await countActiveJobs(db, who.gita)).toBe(0);
  expect(await countUsers(db, who.gita)).toBe(8);
  await pendingReview(db, who.asha);
  await assignedReview(db, who.asha, who.meera);
  await completedReview(db, who.asha, who.meera);
  await insertJobs(db, [{}, { isArchived: true }]);
  expect(await countActiveReviews(db, who.gita)).toBe(1);
  expect(await countActiveJobs(db, who.gita)).toBe(1);
});

test("recent users are up to ten from the last five days, newest first", async () => {
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

test("payments to resolve are counted, and the ten newest are listed", async () => {
  expect(await listNewestOrdersToResolve(db, who.gita)).toEqual({ orders: [], total: 0 });
  for (let index = 0; index < 11; index++) await startedOrder(db, who.asha);
  expect(await listNewestOrdersToResolve(db, who.gita)).toEqual({ orders: [], total: 0 });
  await db.update(orders).set({ nextCheckAt: null });
  const { orders: listed, total } = await listNewestOrdersToResolve(db, who.gita);
  expect(total).toBe(11);
  expect(listed).toHaveLength(10);
  expect(listed[0]).toMatchObject({ buyer: who.asha.email, amountPaise: 199_00 });
});

test("failed and delayed email is listed for a week; sent and new email is not", async () => {
  const since = (age: number) => new Date(now().getTime() - age);
  const mail = (subject: string, age: number, rest: Partial<typeof mails.$inferInsert> = {}) => ({
    cause: randomUUID(),
    recipient: "asha@example.com",
    subject,
    html: "",
    text: "",
    createdAt: since(age),
    ...rest,
  });
  await db
    .insert(mails)
    .values([
      mail("sent", hour, { sentAt: now() }),
      mail("new", minute),
      mail("refused", minute, { givenUpAt: now(), lastError: "550" }),
      mail("waiting", hour, { lastError: "450" }),
      mail("long ago", 8 * day, { givenUpAt: since(7 * day) }),
    ]);
  const { mails: listed, total } = await listUndeliveredMails(db, who.gita);
  expect(listed.map(({ subject }) => subject)).toEqual(["refused", "waiting"]);
  expect(total).toBe(2);
});
