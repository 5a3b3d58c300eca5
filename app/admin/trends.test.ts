import { expect, test } from "vitest";
import { startedOrder } from "../../tests/support/payments/payments.ts";
import { testPeople } from "../../tests/support/rows/test-people.ts";
import { pendingReview } from "../../tests/support/rows/review-states.ts";
import { insertJobs } from "../../tests/support/rows/jobs.ts";
import { profiles } from "../accounts/tables.server.ts";
import { Denied } from "../platform/errors.ts";
import { orders } from "../payments/tables.server.ts";
import { serviceReviews } from "../reviews/tables.server.ts";
import { countByDay } from "./trends.server.ts";

const { db, ...who } = await testPeople();
const moment = new Date("2026-03-15T12:00:00Z");
/** The first moments of today, and of the first of the 30 days, in India. */
const [today, firstDay] = [new Date("2026-03-14T18:30:00Z"), new Date("2026-02-13T18:30:00Z")];
const beforeAll30 = new Date(firstDay.getTime() - 1);

test("daily figures cover 30 days in India, with zeros for days without events", async () => {
  await db.update(profiles).set({ createdAt: beforeAll30 });
  await pendingReview(db, who.asha);
  await pendingReview(db, who.asha);
  await db.update(serviceReviews).set({ createdAt: today });
  await insertJobs(db, [
    { postedAt: firstDay },
    { postedAt: beforeAll30 },
    { postedAt: today, isArchived: true },
  ]);
  await startedOrder(db, who.asha);
  const values = { status: "success" as const, amount: "199.00" };
  await db.update(orders).set({ ...values, createdAt: new Date(today.getTime() - 1) });
  const trends = await countByDay(db, who.gita, moment);
  const zeros = (count: number) => Array.from({ length: count }, () => 0);
  expect(trends.users).toEqual(zeros(30));
  expect(trends.reviews).toEqual([...zeros(29), 2]);
  expect(trends.jobs).toEqual([1, ...zeros(29)]);
  const paid = 199_00 * (await db.$count(orders));
  expect(trends.revenue).toEqual([...zeros(28), paid, 0]);
});

test("only god admins read daily figures", async () => {
  await expect(countByDay(db, who.meera, moment)).rejects.toThrow(Denied);
});
