import { eq } from "drizzle-orm";
import { beforeEach, expect, test, vi } from "vitest";
import { testDatabase } from "../../../tests/support/product/database.ts";
import {
  assignedReview,
  completedReview,
  pendingReview,
} from "../../../tests/support/rows/review-states.ts";
import { day, hour, minute, now } from "../../platform/clock.ts";
import { reviewAssignments, serviceReviews } from "../tables.server.ts";
import {
  countDueReviews,
  findPublishedServiceFigures,
  getServiceFigures,
} from "./due-dates.server.ts";
import { everybody } from "../../../tests/support/rows/everybody.ts";

const { db } = await testDatabase();
const who = everybody(db);

beforeEach(() => db.delete(serviceReviews));
test("what is overdue and what is due until midnight in India is counted, each review once", async () => {
  // 21:40 there.
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-11-20T16:10:00Z") });
  const at = (date: string) => ({ dueAt: new Date(date) });
  await pendingReview(db, who.asha, at("2026-11-20T16:09:00Z"));
  await pendingReview(db, who.asha, at("2026-11-20T18:29:00Z"));
  await pendingReview(db, who.asha, at("2026-11-20T18:30:00Z"));
  await pendingReview(db, who.asha);
  await assignedReview(db, who.asha, who.meera, at("2026-11-18T10:00:00Z"));
  const moved = await assignedReview(db, who.asha, who.meera, at("2026-11-18T10:00:00Z"));
  await change(moved, { extendedTo: new Date("2026-11-20T17:00:00Z") });
  await completedReview(db, who.asha, who.meera, at("2026-11-18T10:00:00Z"));
  const paidBack = await pendingReview(db, who.asha, at("2026-11-18T10:00:00Z"));
  await change(paidBack, { withdrawnAt: now() });
  const one = { counted: 1, isMore: false };
  expect(await countDueReviews(db, who.gita)).toEqual({
    overdue: { pending: one, assigned: one },
    today: { pending: one, assigned: one },
  });
});

test("figures of the service are of what was promised and kept lately, by the first dates", async () => {
  await completed({ hours: 10 });
  await completed({ hours: 30 });
  // Late, whatever date was set meanwhile.
  const late = await completed({ hours: 50 });
  await change(late, { extendedTo: now() });
  await completed({ hours: 1, daysAgo: 91 });
  await change(await completed({ hours: 1 }), { withdrawnAt: now() });
  // An imported one.
  await completedReview(db, who.asha, who.meera);
  expect(await getServiceFigures(db)).toEqual({ completed: 3, onTime: 2, medianHours: 30 });
});

test("nobody reads figures of fewer than twenty reviews", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  for (let made = 0; made < 19; made += 1) await completed({ hours: 24 });
  expect(await findPublishedServiceFigures(db)).toBeNull();
  await completed({ hours: 24 });
  // They are read once a minute.
  expect(await findPublishedServiceFigures(db)).toBeNull();
  vi.setSystemTime(now().getTime() + minute);
  expect(await findPublishedServiceFigures(db)).toEqual({
    completed: 20,
    onTime: 20,
    medianHours: 24,
  });
});

const change = (id: string, to: Partial<typeof serviceReviews.$inferInsert>) =>
  db.update(serviceReviews).set(to).where(eq(serviceReviews.id, id));

/** A review that was paid for, promised within 48 hours, and completed after so many. */
async function completed({ hours, daysAgo = 1 }: { hours: number; daysAgo?: number }) {
  const completedAt = new Date(now().getTime() - daysAgo * day);
  const createdAt = new Date(completedAt.getTime() - hours * hour);
  const dueAt = new Date(createdAt.getTime() + 48 * hour);
  const id = await completedReview(db, who.asha, who.meera, { dueAt });
  await change(id, { createdAt });
  await db.update(reviewAssignments).set({ completedAt }).where(eq(reviewAssignments.reviewId, id));
  return id;
}
