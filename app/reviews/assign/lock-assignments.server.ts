import { and, eq, inArray, isNull } from "drizzle-orm";
import { users } from "../../accounts/tables.server.ts";
import type { Database } from "../../platform/database.server.ts";
import { reviewAssignments } from "../tables.server.ts";
import { type ChosenReview, lockReviews } from "./lock-selection.server.ts";

/** A review that somebody works on, and who. */
export type OpenAssignment = {
  assignmentId: string;
  review: ChosenReview;
  reviewerId: string;
  reviewerEmail: string;
};

/**
 * Locks those of the reviews that are assigned and not completed. Whatever changes an assignment locks
 * its review first, so that what is read here stays so for the rest of the transaction.
 */
export async function lockOpenAssignments(tx: Database, ids: string[]): Promise<OpenAssignment[]> {
  const chosen = await lockReviews(tx, ids);
  const open = new Map(
    chosen.filter(({ status }) => status !== "completed").map((review) => [review.id, review]),
  );
  const rows = await tx
    .select({
      assignmentId: reviewAssignments.id,
      reviewId: reviewAssignments.reviewId,
      reviewerId: reviewAssignments.reviewerId,
      reviewerEmail: users.email,
    })
    .from(reviewAssignments)
    .innerJoin(users, eq(users.id, reviewAssignments.reviewerId))
    .where(
      and(
        inArray(reviewAssignments.reviewId, [...open.keys()]),
        isNull(reviewAssignments.completedAt),
      ),
    );
  return rows.map(({ reviewId, ...row }) => ({ ...row, review: open.get(reviewId)! }));
}
