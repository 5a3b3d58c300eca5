import { and, eq, exists, type SQL, sql } from "drizzle-orm";
import { type Actor, isNotBanned } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import { profiles, staffRoles, users } from "../../accounts/tables.server.ts";
import { recordAuditEvents } from "../../platform/audit.server.ts";
import { type Database, isUuid } from "../../platform/database.server.ts";
import { Conflict, NotFound } from "../../platform/errors.ts";
import { messages } from "../staff-rules.ts";
import { reviewAssignments, serviceReviews } from "../tables.server.ts";

/** True in SQL while this person holds the role of reviewer and is not banned. */
export function isReviewerNow(db: Database, userId: string): SQL {
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
  // Asked only now that the review is ours to change: who has it cannot change under us.
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
        isReviewerNow(tx, reviewerId),
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
 * Marks a reviewer's own review as under review, if it is still pending when they open it.
 *
 * @returns true when it was pending.
 * @throws {NotFound | Conflict} for a review that is not the reviewer's own and open.
 */
export async function openReview(
  db: Database,
  actor: Actor | null,
  reviewId: string,
): Promise<boolean> {
  authorize(actor, "review.open");
  return db.transaction(async (tx) => {
    await lockOwnOpenReview(tx, actor.id, reviewId);
    const opened = await tx
      .update(serviceReviews)
      .set({ status: "under_review" })
      .where(and(eq(serviceReviews.id, reviewId), eq(serviceReviews.status, "pending")))
      .returning({ id: serviceReviews.id });
    await recordAuditEvents(
      tx,
      opened.map(({ id }) => ({
        actor,
        event: "review.open",
        subject: { type: "review", id },
        before: { status: "pending" },
        after: { status: "under_review" },
      })),
    );
    return opened.length > 0;
  });
}
