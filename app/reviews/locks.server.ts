import { and, eq, exists, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { type Actor, isNotBanned } from "../accounts/actor.server.ts";
import { profiles, staffRoles, users } from "../accounts/tables.server.ts";
import { type Database, isUuid } from "../platform/database.server.ts";
import { Conflict, NotFound } from "../platform/errors.ts";
import { messages } from "./staff-rules.ts";
import { reviewAssignments, serviceReviews } from "./tables.server.ts";

/**
 * Locks a review whose remarks and scores the actor may change.
 *
 * @returns `isEdit` is true if a god admin changes a completed review, which is recorded in the history
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

/** True in SQL for a person who is a reviewer and not banned. @param userId an id, or a column with one */
export function isActiveReviewer(db: Database, userId: string | SQLWrapper): SQL {
  return exists(
    db
      .select({ one: sql`1` })
      .from(staffRoles)
      .innerJoin(users, eq(users.id, staffRoles.userId))
      .where(and(eq(staffRoles.userId, userId), eq(staffRoles.role, "reviewer"), isNotBanned())),
  );
}

export type OwnOpenReview = Awaited<ReturnType<typeof lockOwnOpenReview>>;

/**
 * Locks a review that is assigned to this reviewer and not submitted, for the rest of the transaction. Every
 * change of assignments locks their reviews first, in the order of ids, which prevents deadlocks.
 *
 * @throws {NotFound} for an unknown review, one that is not theirs, or a former reviewer.
 * @throws {Conflict} for a completed review.
 */
export async function lockOwnOpenReview(tx: Database, reviewerId: string, reviewId: string) {
  if (!isUuid(reviewId)) throw new NotFound(messages.notOpen);
  const [review] = await tx
    .select()
    .from(serviceReviews)
    .where(eq(serviceReviews.id, reviewId))
    .for("no key update");
  // Read after the lock, so the reviewer cannot change meanwhile.
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
