import { and, eq, exists, type SQL, sql } from "drizzle-orm";
import { type Actor, isNotBanned } from "../accounts/actor.server.ts";
import { profiles, staffRoles, users } from "../accounts/tables.server.ts";
import { type Database, isUuid } from "../platform/database.server.ts";
import { Conflict, NotFound } from "../platform/errors.ts";
import { messages } from "./staff-rules.ts";
import { reviewAssignments, serviceReviews } from "./tables.server.ts";

/**
 * Locks a review whose remarks and scores the actor may change.
 *
 * @returns `isEdit` when it is a completed one that a god admin changes, which the history tells of
 * @throws {NotFound | Conflict} for any other review.
 */
export async function lockEditableReview(
  tx: Database,
  actor: Actor,
  reviewId: string,
): Promise<{ review: typeof serviceReviews.$inferSelect; isEdit: boolean }> {
  if (actor.isGodAdmin && (await isReviewCompleted(tx, reviewId)))
    return { review: await lockCompletedReview(tx, reviewId), isEdit: true };
  const { review } = await lockOwnOpenReview(tx, actor.id, reviewId);
  return { review, isEdit: false };
}

async function isReviewCompleted(tx: Database, reviewId: string): Promise<boolean> {
  if (!isUuid(reviewId)) return false;
  const completed = and(eq(serviceReviews.id, reviewId), eq(serviceReviews.status, "completed"));
  return (await tx.$count(serviceReviews, completed)) > 0;
}

/** True in SQL while this person holds the role of reviewer and is not banned. */
export function isActiveReviewer(db: Database, userId: string): SQL {
  return exists(
    db
      .select({ one: sql`1` })
      .from(staffRoles)
      .innerJoin(users, eq(users.id, staffRoles.userId))
      .where(and(eq(staffRoles.userId, userId), eq(staffRoles.role, "reviewer"), isNotBanned())),
  );
}

export type OwnOpenReview = {
  review: typeof serviceReviews.$inferSelect;
  assignmentId: string;
  reviewer: { id: string; fullName: string | null };
};

/**
 * Locks a review that this reviewer has and has not submitted, for the rest of the transaction.
 * Whatever changes an assignment locks its review first, in the order of ids, so none wait in a ring.
 *
 * @throws {NotFound} for a review that is not theirs, or not there, or when they lost the role.
 * @throws {Conflict} for one that is completed.
 */
export async function lockOwnOpenReview(
  tx: Database,
  reviewerId: string,
  reviewId: string,
): Promise<OwnOpenReview> {
  if (!isUuid(reviewId)) throw new NotFound(messages.notOpen);
  const [review] = await tx
    .select()
    .from(serviceReviews)
    .where(eq(serviceReviews.id, reviewId))
    .for("no key update");
  // Read only after the lock: the reviewer cannot change any more.
  const [assignment] = await tx
    .select({
      id: reviewAssignments.id,
      completedAt: reviewAssignments.completedAt,
      reviewerName: profiles.fullName,
    })
    .from(reviewAssignments)
    .leftJoin(profiles, eq(profiles.id, reviewAssignments.reviewerId))
    .where(
      and(
        eq(reviewAssignments.reviewId, reviewId),
        eq(reviewAssignments.reviewerId, reviewerId),
        isActiveReviewer(tx, reviewerId),
      ),
    );
  if (!review || !assignment) throw new NotFound(messages.notOpen);
  if (review.status === "completed" || assignment.completedAt) {
    throw new Conflict(messages.alreadySubmitted);
  }
  const reviewer = { id: reviewerId, fullName: assignment.reviewerName };
  return { review, assignmentId: assignment.id, reviewer };
}

/**
 * Locks a completed review for the rest of the transaction.
 *
 * @throws {NotFound} for one that does not exist.
 * @throws {Conflict} for one that is not completed.
 */
export async function lockCompletedReview(tx: Database, reviewId: string) {
  const review = await lockReview(tx, reviewId);
  if (review.status !== "completed") throw new Conflict(messages.notCompleted);
  return review;
}

/**
 * Locks a review for the rest of the transaction.
 *
 * @throws {NotFound} for one that does not exist.
 */
export async function lockReview(tx: Database, reviewId: string) {
  const [review] = isUuid(reviewId)
    ? await tx
        .select()
        .from(serviceReviews)
        .where(eq(serviceReviews.id, reviewId))
        .for("no key update")
    : [];
  if (!review) throw new NotFound("Review not found");
  return review;
}
