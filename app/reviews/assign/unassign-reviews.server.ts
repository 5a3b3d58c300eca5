import { and, eq, inArray, isNull } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import { recordAuditEvents } from "../../platform/audit.server.ts";
import type { Database } from "../../platform/database.server.ts";
import { Conflict } from "../../platform/errors.ts";
import { reviewAssignments, serviceReviews } from "../tables.server.ts";
import type { UnassignmentOutcome } from "./assignment-copy.ts";
import { lockOpenAssignments, type OpenAssignment } from "./lock-assignments.server.ts";
import { readSelection } from "./lock-selection.server.ts";
import { messages } from "../staff-rules.ts";
import { type Sender, notifyFormerReviewersLater } from "../emails.server.tsx";

/**
 * Takes reviews back into the pending queue, in one transaction: their assignments, with what was being
 * written in them, are gone. Each former reviewer gets one mail; customers hear nothing.
 *
 * @throws {Invalid} without a selection, or for one that is too large.
 * @throws {Conflict} when nobody has any of the reviews.
 */
export async function unassignReviews(
  db: Database,
  actor: Actor | null,
  { reviewIds }: { reviewIds: string[] },
  sender: Sender,
): Promise<UnassignmentOutcome> {
  authorize(actor, "review.assign");
  const ids = readSelection(reviewIds);

  return db.transaction(async (tx) => {
    const open = await lockOpenAssignments(tx, ids);
    if (open.length === 0) throw new Conflict(messages.noneAssigned);
    await takeBack(tx, open);
    await recordAuditEvents(
      tx,
      open.map(({ review, reviewerId }) => ({
        actor,
        event: "review.unassign",
        subject: { type: "review", id: review.id },
        before: { status: review.status, reviewerId },
        after: { status: "pending" },
      })),
    );
    await notifyFormerReviewersLater(tx, sender, open);
    const unassigned = open.map(({ review }) => review.id);
    return { unassigned, gone: ids.filter((id) => !unassigned.includes(id)) };
  });
}

async function takeBack(tx: Database, open: OpenAssignment[]): Promise<void> {
  const ids = open.map(({ assignmentId }) => assignmentId);
  const deleted = await tx
    .delete(reviewAssignments)
    .where(and(inArray(reviewAssignments.id, ids), isNull(reviewAssignments.completedAt)))
    .returning({ reviewId: reviewAssignments.reviewId });
  if (deleted.length !== ids.length) {
    throw new Error("An assignment changed although it was locked.");
  }
  const reviewIds = deleted.map(({ reviewId }) => reviewId);
  await tx
    .update(serviceReviews)
    .set({ status: "pending" })
    .where(and(inArray(serviceReviews.id, reviewIds), eq(serviceReviews.status, "under_review")));
}
