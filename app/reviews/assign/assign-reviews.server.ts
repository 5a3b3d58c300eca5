import { and, eq, inArray } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import { recordAuditEvents } from "../../platform/audit.server.ts";
import { now } from "../../platform/clock.ts";
import type { Database } from "../../platform/database.server.ts";
import { Conflict, Invalid } from "../../platform/errors.ts";
import { reviewAssignments, serviceReviews } from "../tables.server.ts";
import { type AssignmentOutcome, assignmentRefusal } from "./assignment-copy.ts";
import {
  type ChosenReview,
  lockReviewer,
  lockReviews,
  readSelection,
} from "./lock-selection.server.ts";
import { messages } from "../staff-rules.ts";
import {
  type Sender,
  notifyCustomersOfAssignmentLater,
  notifyReviewerLater,
} from "../emails.server.tsx";

/**
 * Assigns pending reviews to a reviewer, in one transaction: each gets an assignment and becomes
 * under review, the reviewer gets one mail that lists them, each customer one when it is the first
 * time. Admins who choose the same reviews at the same moment wait for each other, and each is told
 * what really happened.
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
  if (!reviewerId) throw new Invalid({ reviewerId: messages.noReviewer });
  const ids = readSelection(reviewIds);

  return db.transaction(async (tx) => {
    const reviewer = await lockReviewer(tx, reviewerId);
    const chosen = await lockReviews(tx, ids);
    const outcome = await insertAssignments(tx, ids, chosen, reviewer.id);
    if (outcome.assigned.length === 0) throw new Conflict(assignmentRefusal(outcome));

    const assigned = chosen.filter(({ id }) => outcome.assigned.includes(id));
    await recordAuditEvents(
      tx,
      assigned.map(({ id }) => ({
        actor,
        event: "review.assign",
        subject: { type: "review", id },
        before: { status: "pending" },
        after: { status: "under_review", reviewerId },
      })),
    );
    await notifyReviewerLater(tx, sender, reviewer, assigned);
    await notifyCustomersOfAssignmentLater(tx, sender, assigned);
    return outcome;
  });
}

/** Inserts what is free, and sorts the wanted reviews by what became of them. */
async function insertAssignments(
  tx: Database,
  wanted: string[],
  chosen: ChosenReview[],
  reviewerId: string,
): Promise<AssignmentOutcome> {
  const isOwn = ({ status, userId }: ChosenReview) => status === "pending" && userId === reviewerId;
  const free = chosen.filter((review) => review.status === "pending" && !isOwn(review));
  const assigned = new Set(await insertForFree(tx, free, reviewerId));
  const isTaken = (review: ChosenReview) =>
    review.status !== "completed" && !assigned.has(review.id) && !isOwn(review);
  const known = new Map(chosen.map((review) => [review.id, review]));
  const idsOf = (reviews: ChosenReview[]) => reviews.map(({ id }) => id);
  return {
    assigned: [...assigned],
    alreadyAssigned: idsOf(chosen.filter(isTaken)),
    boughtByReviewer: idsOf(chosen.filter(isOwn)),
    gone: wanted.filter((id) => (known.get(id)?.status ?? "completed") === "completed"),
  };
}

/** Some rows have an assignment although they are pending; those stay as they are. */
async function insertForFree(
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
