import { and, asc, eq, inArray, isNull } from "drizzle-orm";
import { type Actor, isNotBanned } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import { staffRoles, users } from "../../accounts/tables.server.ts";
import type { Sender } from "../../mail/deliver-mail.server.ts";
import { type AuditEvent, recordAuditEvents } from "../../platform/audit.server.ts";
import { now } from "../../platform/clock.ts";
import { type Database, isUuid } from "../../platform/database.server.ts";
import { Conflict, Invalid } from "../../platform/errors.ts";
import { dueColumns } from "../../reviews/due-dates/due-dates.server.ts";
import { notifyCustomersOfAssignmentLater } from "../../reviews/emails/customer-emails.server.tsx";
import {
  notifyFormerReviewersLater,
  notifyReviewerLater,
} from "../../reviews/emails/reviewer-emails.server.tsx";
import { maxSelection, messages } from "../../reviews/staff-rules.ts";
import {
  handedBackDrafts,
  reviewAssignments,
  serviceReviews,
} from "../../reviews/tables.server.ts";
import {
  type AssignmentOutcome,
  createAssignmentConflict,
  type ReassignmentOutcome,
  createReassignmentConflict,
  type UnassignmentOutcome,
} from "./assignment-messages.ts";

/**
 * Assigns pending reviews to a reviewer in one transaction: each gets an assignment and becomes under review.
 * The reviewer gets one email that lists them, and each customer one the first time. Admins who choose the same
 * reviews at the same moment wait for each other, and each learns the actual result.
 *
 * @throws {Invalid} without a choice, or for a reviewer who lost the role or is banned.
 * @throws {Conflict} when none of the reviews could be assigned.
 */
export async function assignReviews(
  db: Database,
  actor: Actor | null,
  { reviewIds, reviewerId }: { reviewIds: string[]; reviewerId: string },
  sender: Sender,
): Promise<AssignmentOutcome> {
  authorize(actor, "review.assign");
  if (!reviewerId) throw new Invalid({ reviewerId: messages.noReviewer }, "choice-missing");
  const ids = validateSelection(reviewIds);

  return db.transaction(async (tx) => {
    const reviewer = await lockReviewer(tx, reviewerId);
    const chosen = await lockReviews(tx, ids);
    const outcome = await insertAssignments(tx, ids, chosen, reviewer.id);
    if (outcome.assigned.length === 0) throw createAssignmentConflict(outcome);

    const reviews = chosen.filter(({ id }) => outcome.assigned.includes(id));
    await recordAssignments(tx, actor, sender, { reviewerId, reviews });
    return outcome;
  });
}

/** Records new assignments in the history, and queues the emails to the reviewer and the customers. */
export async function recordAssignments(
  tx: Database,
  actor: Actor,
  sender: Sender,
  { reviewerId, reviews }: { reviewerId: string; reviews: ChosenReview[] },
): Promise<void> {
  await recordAuditEvents(
    tx,
    reviews.map(({ id }) => ({
      actor,
      event: "review.assign",
      subject: { type: "review", id },
      before: { status: "pending" },
      after: { status: "under_review", reviewerId },
    })),
  );
  await notifyReviewerLater(tx, sender, { id: reviewerId }, reviews);
  await notifyCustomersOfAssignmentLater(tx, sender, reviews);
}

/** Inserts assignments for the free reviews, and groups the requested ones by result. */
async function insertAssignments(
  tx: Database,
  requested: string[],
  chosen: ChosenReview[],
  reviewerId: string,
): Promise<AssignmentOutcome> {
  // Completed and refunded reviews are in no queue.
  const waiting = chosen.filter(
    ({ status, withdrawnAt }) => status !== "completed" && !withdrawnAt,
  );
  const isOwn = ({ status, userId }: ChosenReview) => status === "pending" && userId === reviewerId;
  const knownIds = await listKnownReviews(tx, requested, reviewerId);
  const isKnown = ({ id, status }: ChosenReview) => status === "pending" && knownIds.has(id);
  const isRefused = (review: ChosenReview) => isOwn(review) || isKnown(review);
  const free = waiting.filter((review) => review.status === "pending" && !isRefused(review));
  const assigned = new Set(await insertFreeAssignments(tx, free, reviewerId));
  const isTaken = (review: ChosenReview) => !assigned.has(review.id) && !isRefused(review);
  const waitingIds = new Set(waiting.map(({ id }) => id));
  const idsOf = (reviews: ChosenReview[]) => reviews.map(({ id }) => id);
  return {
    assigned: [...assigned],
    alreadyAssigned: idsOf(waiting.filter(isTaken)),
    boughtByReviewer: idsOf(waiting.filter(isOwn)),
    knownToReviewer: idsOf(waiting.filter((review) => !isOwn(review) && isKnown(review))),
    gone: requested.filter((id) => !waitingIds.has(id)),
  };
}

/** Returns the reviews that this reviewer handed back because they know the author. Lock the reviews first. */
async function listKnownReviews(
  tx: Database,
  ids: string[],
  reviewerId: string,
): Promise<ReadonlySet<string>> {
  const rows = await tx
    .select({ id: handedBackDrafts.reviewId })
    .from(handedBackDrafts)
    .where(
      and(
        inArray(handedBackDrafts.reviewId, ids.filter(isUuid)),
        eq(handedBackDrafts.formerReviewerId, reviewerId),
        eq(handedBackDrafts.reason, "knows_author"),
      ),
    );
  return new Set(rows.map(({ id }) => id));
}

/** Inserts assignments. A pending review can already have one, which stays as it is. */
export async function insertFreeAssignments(
  tx: Database,
  free: ChosenReview[],
  reviewerId: string,
): Promise<string[]> {
  if (free.length === 0) return [];
  const assignedAt = now();
  const inserted = await tx
    .insert(reviewAssignments)
    .values(free.map(({ id }) => ({ reviewId: id, reviewerId, assignedAt })))
    .onConflictDoNothing({ target: reviewAssignments.reviewId })
    .returning({ id: reviewAssignments.reviewId });
  const ids = inserted.map(({ id }) => id);
  await tx
    .update(serviceReviews)
    .set({ status: "under_review" })
    .where(and(inArray(serviceReviews.id, ids), eq(serviceReviews.status, "pending")));
  return ids;
}

/**
 * Moves reviews to another reviewer in one transaction: their status stays, they count as assigned now, and the
 * former reviewer's draft is deleted. The new reviewer and each former one get one email; customers get none.
 * Reviews of people who lost the role or are banned can be moved too.
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
  if (!reviewerId) throw new Invalid({ reviewerId: messages.noReviewer }, "choice-missing");
  const ids = validateSelection(reviewIds);

  return db.transaction(async (tx) => {
    const reviewer = await lockReviewer(tx, reviewerId);
    const open = await lockOpenAssignments(tx, ids);
    const knownIds = await listKnownReviews(tx, ids, reviewer.id);
    const { movable, outcome } = splitAssignable(ids, open, reviewer.id, knownIds);
    if (movable.length === 0) throw createReassignmentConflict(outcome);

    await moveAssignments(tx, movable, reviewer.id);
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

/** Groups the requested reviews by what will happen to them. */
function splitAssignable(
  requested: string[],
  open: OpenAssignment[],
  reviewerId: string,
  knownIds: ReadonlySet<string>,
): { movable: OpenAssignment[]; outcome: ReassignmentOutcome } {
  const theirs = open.filter((one) => one.reviewerId === reviewerId);
  const others = open.filter((one) => !theirs.includes(one));
  const bought = others.filter(({ review }) => review.userId === reviewerId);
  const ofFriends = others.filter((one) => !bought.includes(one) && knownIds.has(one.review.id));
  const movable = others.filter((one) => !bought.includes(one) && !ofFriends.includes(one));
  const idsOf = (assignments: OpenAssignment[]) => assignments.map(({ review }) => review.id);
  const outcome = {
    reassigned: idsOf(movable),
    alreadyTheirs: idsOf(theirs),
    boughtByReviewer: idsOf(bought),
    knownToReviewer: idsOf(ofFriends),
    gone: requested.filter((id) => !idsOf(open).includes(id)),
  };
  return { movable, outcome };
}

async function moveAssignments(tx: Database, movable: OpenAssignment[], reviewerId: string) {
  const ids = movable.map(({ assignmentId }) => assignmentId);
  const moved = await tx
    .update(reviewAssignments)
    .set({ reviewerId, assignedAt: now(), draftFeedback: null, draftSavedAt: null })
    .where(and(inArray(reviewAssignments.id, ids), isNull(reviewAssignments.completedAt)))
    .returning({ id: reviewAssignments.id });
  if (moved.length !== ids.length) throw new Error("An assignment changed although it was locked.");
}

/**
 * Returns reviews to the pending queue in one transaction, and deletes their assignments with the drafts. Each former
 * reviewer gets one email; customers get none.
 *
 * @throws {Invalid} without a selection, or for one that is too large.
 * @throws {Conflict} when none of the reviews is assigned.
 */
export async function unassignReviews(
  db: Database,
  actor: Actor | null,
  { reviewIds }: { reviewIds: string[] },
  sender: Sender,
): Promise<UnassignmentOutcome> {
  authorize(actor, "review.assign");
  const ids = validateSelection(reviewIds);

  return db.transaction(async (tx) => {
    const open = await lockOpenAssignments(tx, ids);
    if (open.length === 0) throw new Conflict(messages.noneAssigned);
    await deleteAndRecord(tx, actor, open);
    await notifyFormerReviewersLater(tx, sender, open);
    const unassigned = open.map(({ review }) => review.id);
    return { unassigned, gone: ids.filter((id) => !unassigned.includes(id)) };
  });
}

async function deleteAndRecord(
  tx: Database,
  actor: AuditEvent["actor"],
  open: OpenAssignment[],
): Promise<void> {
  await deleteAssignments(tx, open);
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
}

/**
 * Returns all open reviews of a reviewer whose account is being closed to the pending queue. The caller checks permission.
 */
export async function unassignReviewsOf(
  tx: Database,
  actor: AuditEvent["actor"],
  reviewerId: string,
): Promise<void> {
  const assigned = await tx
    .select({ id: reviewAssignments.reviewId })
    .from(reviewAssignments)
    .where(
      and(eq(reviewAssignments.reviewerId, reviewerId), isNull(reviewAssignments.completedAt)),
    );
  if (assigned.length === 0) return;
  const open = await lockOpenAssignments(
    tx,
    assigned.map(({ id }) => id),
  );
  await deleteAndRecord(
    tx,
    actor,
    open.filter((assignment) => assignment.reviewerId === reviewerId),
  );
}

/**
 * Deletes open assignments of locked reviews, which are pending then.
 *
 * @returns the deleted rows, with the drafts that were saved last
 */
export async function deleteAssignments(
  tx: Database,
  open: Pick<OpenAssignment, "assignmentId">[],
) {
  const ids = open.map(({ assignmentId }) => assignmentId);
  const deleted = await tx
    .delete(reviewAssignments)
    .where(and(inArray(reviewAssignments.id, ids), isNull(reviewAssignments.completedAt)))
    .returning({
      reviewId: reviewAssignments.reviewId,
      draftFeedback: reviewAssignments.draftFeedback,
    });
  if (deleted.length !== ids.length) {
    throw new Error("An assignment changed although it was locked.");
  }
  const reviewIds = deleted.map(({ reviewId }) => reviewId);
  await tx
    .update(serviceReviews)
    .set({ status: "pending" })
    .where(and(inArray(serviceReviews.id, reviewIds), eq(serviceReviews.status, "under_review")));
  return deleted;
}

export type ChosenReview = Pick<
  typeof serviceReviews.$inferSelect,
  | "id"
  | "userId"
  | "status"
  | "serviceType"
  | "secondLookOf"
  | "priority"
  | "createdAt"
  | keyof typeof dueColumns
>;

/**
 * Returns the ids of a selection without duplicates.
 *
 * @param none the message for an empty selection
 * @throws {Invalid} for an empty selection, or one that is too large.
 */
export function validateSelection(
  reviewIds: string[],
  none: string = messages.noSelection,
): string[] {
  const ids = [...new Set(reviewIds.map((id) => id.toLowerCase()))];
  if (ids.length === 0) throw new Invalid({ "": none }, "choice-missing");
  if (ids.length > maxSelection) throw new Invalid({ "": messages.selectionTooLarge });
  return ids;
}

/**
 * Locks a reviewer who can get reviews now. Removing the role or banning the reviewer waits until the transaction
 * ends.
 *
 * @throws {Invalid} for anyone else, or without a choice.
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

/** Locks reviews in the order of their ids, so that two admins cannot deadlock. */
export function lockReviews(tx: Database, ids: string[]): Promise<ChosenReview[]> {
  return tx
    .select({
      id: serviceReviews.id,
      userId: serviceReviews.userId,
      status: serviceReviews.status,
      serviceType: serviceReviews.serviceType,
      secondLookOf: serviceReviews.secondLookOf,
      priority: serviceReviews.priority,
      createdAt: serviceReviews.createdAt,
      ...dueColumns,
    })
    .from(serviceReviews)
    .where(inArray(serviceReviews.id, ids.filter(isUuid)))
    .orderBy(asc(serviceReviews.id))
    .for("no key update");
}

/** A review being worked on, and its reviewer. */
type OpenAssignment = {
  assignmentId: string;
  review: ChosenReview;
  reviewerId: string;
};

/**
 * Locks those of the reviews that are assigned and not completed. Every change of an assignment locks its review
 * first, so the result stays true until the transaction ends.
 */
async function lockOpenAssignments(tx: Database, ids: string[]): Promise<OpenAssignment[]> {
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
