import { and, inArray, isNull } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import { recordAuditEvents } from "../../platform/audit.server.ts";
import { now } from "../../platform/clock.ts";
import type { Database } from "../../platform/database.server.ts";
import { Conflict, Invalid } from "../../platform/errors.ts";
import { reviewAssignments } from "../tables.server.ts";
import { type ReassignmentOutcome, reassignmentRefusal } from "./assignment-copy.ts";
import { lockOpenAssignments, type OpenAssignment } from "./lock-assignments.server.ts";
import { lockReviewer, readSelection } from "./lock-selection.server.ts";
import { messages } from "../staff-rules.ts";
import { type Sender, notifyFormerReviewersLater, notifyReviewerLater } from "../emails.server.tsx";

/**
 * Gives reviews that somebody works on to another reviewer, in one transaction: their status stays,
 * they count as assigned now, and what the former reviewer was writing is gone. The new reviewer and
 * each former one get one mail; customers hear nothing. Also the reviews of people who lost the role
 * or are banned can be passed on.
 *
 * @throws {Invalid} without a choice, or for a reviewer who lost the role or is banned.
 * @throws {Conflict} when none of the reviews could be reassigned.
 */
export async function reassignReviews(
  db: Database,
  actor: Actor | null,
  { reviewIds, reviewerId }: { reviewIds: string[]; reviewerId: string },
  sender: Sender,
): Promise<ReassignmentOutcome> {
  authorize(actor, "review.assign");
  if (!reviewerId) throw new Invalid({ reviewerId: messages.noReviewer });
  const ids = readSelection(reviewIds);

  return db.transaction(async (tx) => {
    const reviewer = await lockReviewer(tx, reviewerId);
    const open = await lockOpenAssignments(tx, ids);
    const { movable, outcome } = sortOut(ids, open, reviewer.id);
    if (movable.length === 0) throw new Conflict(reassignmentRefusal(outcome));

    await moveTo(tx, movable, reviewer.id);
    await recordAuditEvents(
      tx,
      movable.map(({ review, reviewerId: former }) => ({
        actor,
        event: "review.reassign",
        subject: { type: "review", id: review.id },
        before: { reviewerId: former },
        after: { reviewerId: reviewer.id },
      })),
    );
    const moved = movable.map(({ review }) => review);
    await notifyReviewerLater(tx, sender, reviewer, moved);
    await notifyFormerReviewersLater(tx, sender, movable);
    return outcome;
  });
}

/** Sorts the wanted reviews by what becomes of them. */
function sortOut(
  wanted: string[],
  open: OpenAssignment[],
  reviewerId: string,
): { movable: OpenAssignment[]; outcome: ReassignmentOutcome } {
  const theirs = open.filter((one) => one.reviewerId === reviewerId);
  const bought = open.filter((one) => !theirs.includes(one) && one.review.userId === reviewerId);
  const movable = open.filter((one) => !theirs.includes(one) && !bought.includes(one));
  const idsOf = (assignments: OpenAssignment[]) => assignments.map(({ review }) => review.id);
  const outcome = {
    reassigned: idsOf(movable),
    alreadyTheirs: idsOf(theirs),
    boughtByReviewer: idsOf(bought),
    gone: wanted.filter((id) => !idsOf(open).includes(id)),
  };
  return { movable, outcome };
}

async function moveTo(tx: Database, movable: OpenAssignment[], reviewerId: string): Promise<void> {
  const ids = movable.map(({ assignmentId }) => assignmentId);
  const moved = await tx
    .update(reviewAssignments)
    .set({ reviewerId, assignedAt: now(), draftFeedback: null, draftSavedAt: null })
    .where(and(inArray(reviewAssignments.id, ids), isNull(reviewAssignments.completedAt)))
    .returning({ id: reviewAssignments.id });
  if (moved.length !== ids.length) throw new Error("An assignment changed although it was locked.");
}
