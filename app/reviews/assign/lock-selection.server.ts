import { and, asc, eq, inArray, isNull } from "drizzle-orm";
import { isNotBanned } from "../../accounts/actor.server.ts";
import { staffRoles, users } from "../../accounts/tables.server.ts";
import { type Database, isUuid } from "../../platform/database.server.ts";
import { Invalid } from "../../platform/errors.ts";
import { largestSelection, messages } from "../staff-rules.ts";
import { reviewAssignments, serviceReviews } from "../tables.server.ts";

export type ChosenReview = Pick<
  typeof serviceReviews.$inferSelect,
  "id" | "userId" | "status" | "serviceType" | "priority" | "createdAt" | "withdrawnAt"
>;

/**
 * The ids of a selection, each once.
 *
 * @throws {Invalid} for none, or more than one command takes.
 */
export function readSelection(reviewIds: string[]): string[] {
  const ids = [...new Set(reviewIds.map((id) => id.toLowerCase()))];
  if (ids.length === 0) throw new Invalid({ "": messages.noSelection });
  if (ids.length > largestSelection) throw new Invalid({ "": messages.selectionTooLarge });
  return ids;
}

/**
 * Somebody who can be given reviews now. Whoever takes the role away, or bans the reviewer, waits
 * until the transaction is done.
 *
 * @throws {Invalid} for anybody else, and without a choice.
 */
export async function lockReviewer(tx: Database, reviewerId: string): Promise<{ id: string }> {
  const [reviewer] = isUuid(reviewerId)
    ? await tx
        .select({ id: users.id })
        .from(users)
        .innerJoin(
          staffRoles,
          and(eq(staffRoles.userId, users.id), eq(staffRoles.role, "reviewer")),
        )
        .where(and(eq(users.id, reviewerId), isNotBanned()))
        .for("share")
    : [];
  if (!reviewer) throw new Invalid({ reviewerId: messages.reviewerUnavailable });
  return reviewer;
}

/** In the order of ids, so that two admins never wait for each other in a ring. */
export function lockReviews(tx: Database, ids: string[]): Promise<ChosenReview[]> {
  return tx
    .select({
      id: serviceReviews.id,
      userId: serviceReviews.userId,
      status: serviceReviews.status,
      serviceType: serviceReviews.serviceType,
      priority: serviceReviews.priority,
      createdAt: serviceReviews.createdAt,
      withdrawnAt: serviceReviews.withdrawnAt,
    })
    .from(serviceReviews)
    .where(inArray(serviceReviews.id, ids.filter(isUuid)))
    .orderBy(asc(serviceReviews.id))
    .for("no key update");
}

/** A review that somebody works on, and who. */
export type OpenAssignment = {
  assignmentId: string;
  review: ChosenReview;
  reviewerId: string;
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
    })
    .from(reviewAssignments)
    .where(
      and(
        inArray(reviewAssignments.reviewId, [...open.keys()]),
        isNull(reviewAssignments.completedAt),
      ),
    );
  return rows.map(({ reviewId, ...row }) => ({ ...row, review: open.get(reviewId)! }));
}
