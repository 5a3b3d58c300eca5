import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { testDatabase } from "../../../tests/support/database.ts";
import { type Everybody, people } from "../../../tests/support/people.ts";
import { assignedReview, completedReview } from "../../../tests/support/review-states.ts";
import { profiles } from "../../accounts/tables.server.ts";
import { day, now } from "../../platform/clock.ts";
import { reviewAssignments, serviceReviews } from "../tables.server.ts";
import { listCompletedReviews } from "./completed-reviews.server.ts";

const { db } = await testDatabase();
let who: Everybody;

beforeEach(async () => {
  await db.delete(serviceReviews);
  who = await people(db);
});

test("completed reviews come the newest completion first, in pages without gaps", async () => {
  const ids: string[] = [];
  for (let index = 0; index < 53; index++) {
    const id = await completedReview(db, who.asha, who.meera);
    const completedAt = new Date(now().getTime() - Math.floor(index / 3) * day);
    await db
      .update(reviewAssignments)
      .set({ completedAt })
      .where(eq(reviewAssignments.reviewId, id));
    ids.push(id);
  }
  await assignedReview(db, who.asha, who.meera);
  const first = await listCompletedReviews(db, who.gita, { after: null });
  const second = await listCompletedReviews(db, who.gita, { after: first.next });
  expect(first.total).toEqual({ counted: 53, isMore: false });
  expect([...first.rows, ...second.rows].map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
  const moments = [...first.rows, ...second.rows].map(({ completedAt }) => completedAt.getTime());
  expect(moments).toEqual(moments.toSorted((a, b) => b - a));
});

test("a completed review is listed with both names and the beginning of its feedback", async () => {
  const feedback = "Lead with the outcome of each project, and then say how you came to it.";
  const told = await completedReview(db, who.asha, who.meera, { feedback });
  await completedReview(db, who.asha, who.meera, { feedback: "  " });
  await db.update(profiles).set({ fullName: null }).where(eq(profiles.id, who.asha.id));
  const { rows } = await listCompletedReviews(db, who.gita, { after: null });
  expect(rows.find(({ id }) => id === told)).toMatchObject({
    userName: "Unknown User",
    reviewerName: "Meera Iyer",
    preview: "Lead with the outcome of each project, and then sa…",
  });
  expect(rows.find(({ id }) => id !== told)?.preview).toBe("No feedback");
  expect((await listCompletedReviews(db, who.gita, { after: "nonsense" })).rows).toHaveLength(2);
});
