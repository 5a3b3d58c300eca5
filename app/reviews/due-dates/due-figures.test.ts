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
  countOverdueReviews,
  countReviewsDueToday,
  findPublishedServiceFigures,
  getServiceFigures,
} from "./due-dates.server.ts";
import { everybody } from "../../../tests/support/rows/everybody.ts";

const { db } = await testDatabase();
const who = everybody(db);

beforeEach(() => db.delete(serviceReviews));
test("overdue reviews, and reviews due until midnight in India, are counted once each", async () => {
  // 21:40 in India.
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
  expect(await countReviewsDueToday(db, who.gita)).toEqual({ pending: one, assigned: one });
  for (const state of ["pending", "under_review"] as const)
    expect(await countOverdueReviews(db, who.gita, state)).toEqual(one);
});

test("service figures cover recent reviews with a due date, by their first dates", async () => {
  await completed({ hours: 10 });
  await completed({ hours: 30 });
  // Late by its first date, although it was extended.
  const late = await completed({ hours: 50 });
  await change(late, { extendedTo: now() });
  await completed({ hours: 1, daysAgo: 91 });
  await change(await completed({ hours: 1 }), { withdrawnAt: now() });
  // An imported review has no due date.
  await completedReview(db, who.asha, who.meera);
  expect(await getServiceFigures(db)).toEqual({ completed: 3, onTime: 2, medianHours: 30 });
});

test("figures of fewer than twenty reviews are not published", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  for (let made = 0; made < 19; made += 1) await completed({ hours: 24 });
  expect(await findPublishedServiceFigures(db)).toBeNull();
  await completed({ hours: 24 });
  // The published figures are up to a minute old.
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

/** Creates a paid review due within 48 hours and completed after this number of hours. */
async function completed({ hours, daysAgo = 1 }: { hours: number; daysAgo?: number }) {
  const completedAt = new Date(now().getTime() - daysAgo * day);
  const createdAt = new Date(completedAt.getTime() - hours * hour);
  const dueAt = new Date(createdAt.getTime() + 48 * hour);
  const id = await completedReview(db, who.asha, who.meera, { dueAt });
  await change(id, { createdAt });
  await db.update(reviewAssignments).set({ completedAt }).where(eq(reviewAssignments.reviewId, id));
  return id;
}
