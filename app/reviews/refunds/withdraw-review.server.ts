import { and, eq, isNull } from "drizzle-orm";
import { now } from "../../platform/clock.ts";
import type { Database } from "../../platform/database.server.ts";
import { notifyFormerReviewersLater, type Sender } from "../emails.server.tsx";
import { endShares } from "../share/shares.server.ts";
import { reviewAssignments, serviceReviews } from "../tables.server.ts";

export type PaidReview = typeof serviceReviews.$inferSelect;

/**
 * Locks the review that an order paid for, as submitting and assigning do: what is read of it now stays so
 * for the rest of the transaction. The order is locked before.
 */
export async function lockReviewOf(tx: Database, orderId: string): Promise<PaidReview | null> {
  const [review] = await tx
    .select()
    .from(serviceReviews)
    .where(eq(serviceReviews.orderId, orderId))
    .for("no key update");
  return review ?? null;
}

/**
 * Takes a review whose money goes back out of every queue, clock and figure: its open assignment goes, with
 * what was being written, and its reviewer is told. A completed one stays readable; a link to it ends.
 */
export async function withdrawReview(
  tx: Database,
  sender: Sender,
  review: PaidReview,
): Promise<void> {
  const withdrawn = await tx
    .update(serviceReviews)
    .set({
      withdrawnAt: now(),
      ...(review.status === "under_review" && { status: "pending" as const }),
    })
    .where(and(eq(serviceReviews.id, review.id), isNull(serviceReviews.withdrawnAt)))
    .returning({ id: serviceReviews.id });
  if (withdrawn.length === 0) return;
  await endShares(tx, review.id);
  if (review.status === "completed") return;
  const taken = await tx
    .delete(reviewAssignments)
    .where(and(eq(reviewAssignments.reviewId, review.id), isNull(reviewAssignments.completedAt)))
    .returning({ reviewerId: reviewAssignments.reviewerId });
  const assignments = taken.map(({ reviewerId }) => ({ reviewerId, review }));
  await notifyFormerReviewersLater(tx, sender, assignments);
}
