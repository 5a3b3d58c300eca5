import { eq } from "drizzle-orm";
import { beforeEach, expect, test, vi } from "vitest";
import { testDatabase } from "../../../tests/support/product/database.ts";
import { completedReview } from "../../../tests/support/rows/review-states.ts";
import { day, hour, now } from "../../platform/clock.ts";
import { services, type ServiceType } from "../rules.ts";
import { reviewAssignments, serviceReviews } from "../tables.server.ts";
import { listReviewerFigures, rateReview, findRating } from "./rating.server.ts";
import { formatHours, ratingMessages, formatShare } from "./rules.ts";
import { everybody } from "../../../tests/support/rows/everybody.ts";

const { db } = await testDatabase();
const who = everybody(db);

beforeEach(() => db.delete(serviceReviews));
test("a rating can be changed within a week of the first time, and is final afterwards", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const reviewId = await completedReview(db, who.asha, who.meera);
  const rate = (rating: number, words: string | null = null) =>
    rateReview(db, who.asha, { reviewId, rating, words });
  await rate(3);
  vi.setSystemTime(now().getTime() + 6 * day);
  await rate(5, "Three interviews since.");
  expect(await findRating(db, reviewId)).toMatchObject({
    rating: 5,
    words: "Three interviews since.",
    changeableUntil: expect.any(String),
  });
  vi.setSystemTime(now().getTime() + 2 * day);
  await expect(rate(1)).rejects.toThrow(ratingMessages.tooLate);
  await rate(5, "Three interviews since.");
  expect(await findRating(db, reviewId)).toMatchObject({ rating: 5, changeableUntil: null });
});

test("figures count only recently completed reviews of each reviewer", async () => {
  const ofMeera = [
    await completed("resume_review", 48),
    await completed("portfolio_review", 49),
    await completed("combined_review", 24, 1, false),
    await completed("combined_review", 25),
  ];
  await completed("resume_review", 1, 91);
  await rate(ofMeera[0]!, 5);
  await rate(ofMeera[1]!, 4);
  const figures = await listReviewerFigures(db, who.gita);
  expect(figures.find(({ id }) => id === who.meera.id)).toEqual({
    id: who.meera.id,
    name: who.meera.fullName,
    completed: 4,
    promised: 3,
    onTime: 1,
    medianHours: 36.5,
    ratings: 2,
    averageRating: 4.5,
  });
  expect(figures.find(({ id }) => id === who.kabir.id)).toMatchObject({
    completed: 0,
    medianHours: null,
    averageRating: null,
  });
  expect(figures.some(({ id }) => id === who.ravi.id)).toBe(false);
});

test("figures are formatted as text", () => {
  expect(formatShare(11, 12)).toBe("92% (11 of 12)");
  expect(formatShare(0, 0)).toBeNull();
  expect([1, 31.26, 48].map(formatHours)).toEqual(["1 hour", "31.3 hours", "48 hours"]);
});

const rate = (reviewId: string, rating: number) =>
  rateReview(db, who.asha, { reviewId, rating, words: null });

/**
 * Creates a review that Meera completed this many days ago, after this many hours. An imported one has no due
 * date.
 */
async function completed(
  type: ServiceType,
  hours: number,
  daysAgo = 1,
  isPromised = true,
): Promise<string> {
  const completedAt = new Date(now().getTime() - daysAgo * day);
  const createdAt = new Date(completedAt.getTime() - hours * hour);
  const promised = new Date(createdAt.getTime() + services[type].turnaroundHours * hour);
  const dueAt = isPromised ? promised : null;
  const id = await completedReview(db, who.asha, who.meera, { type, createdAt, dueAt });
  await db.update(reviewAssignments).set({ completedAt }).where(eq(reviewAssignments.reviewId, id));
  return id;
}
