import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { testDatabase } from "../../../tests/support/product/database.ts";
import { assignedReview, completedReview } from "../../../tests/support/rows/review-states.ts";
import { profiles } from "../../accounts/tables.server.ts";
import { day, now } from "../../platform/clock.ts";
import { reviewAssignments, serviceReviews } from "../../reviews/tables.server.ts";
import { listCompletedReviews } from "./completed-reviews.server.ts";
import { everybody } from "../../../tests/support/rows/everybody.ts";

const { db } = await testDatabase();
const who = everybody(db);

beforeEach(() => db.delete(serviceReviews));

test("completed reviews are sorted by completion, newest first", async () => {
  const ids: string[] = [];
  for (const days of [2, 1, 3]) {
    const id = await completedReview(db, who.asha, who.meera);
    const completedAt = new Date(now().getTime() - days * day);
    const isItsOwn = eq(reviewAssignments.reviewId, id);
    await db.update(reviewAssignments).set({ completedAt }).where(isItsOwn);
    ids.push(id);
  }
  await assignedReview(db, who.asha, who.meera);
  const { rows, total } = await listCompletedReviews(db, who.gita, { after: null });
  expect(total).toEqual({ counted: 3, isMore: false });
  expect(rows.map(({ id }) => id)).toEqual([ids[1], ids[0], ids[2]]);
});

test("a completed review is listed with both names and the beginning of its feedback", async () => {
  const feedback = "Lead with the outcome of each project, and then say how you came to it.";
  const withFeedback = await completedReview(db, who.asha, who.meera, { feedback });
  await completedReview(db, who.asha, who.meera, { feedback: "  " });
  await db.update(profiles).set({ fullName: null }).where(eq(profiles.id, who.asha.id));
  const { rows } = await listCompletedReviews(db, who.gita, { after: null });
  expect(rows.find(({ id }) => id === withFeedback)).toMatchObject({
    userName: "Unknown User",
    reviewerName: "Meera Iyer",
    preview: "Lead with the outcome of each project, and then sa…",
  });
  expect(rows.find(({ id }) => id !== withFeedback)?.preview).toBe("No feedback");
  expect((await listCompletedReviews(db, who.gita, { after: "nonsense" })).rows).toHaveLength(2);
});
