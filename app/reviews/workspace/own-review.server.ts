import { cleanText } from "../../platform/text.ts";
import { createHash } from "node:crypto";
import { and, eq, exists, isNull, ne, or, type SQL, sql } from "drizzle-orm";
import { type Actor, isNotBanned } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import { profiles, staffRoles, users } from "../../accounts/tables.server.ts";
import { recordAuditEvents } from "../../platform/audit.server.ts";
import { now } from "../../platform/clock.ts";
import { type Database, isUuid } from "../../platform/database.server.ts";
import { Conflict, Invalid, NotFound } from "../../platform/errors.ts";
import { feedbackLimit, messages } from "../staff-rules.ts";
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

/**
 * Keeps feedback that is being written, on the reviewer's own open assignment; nobody else sees it.
 * It leaves no line in the audit trail, since it happens every few seconds and changes no review.
 *
 * @param sent.version of the draft that the text was written from
 * @returns the version of the draft as it is saved.
 * @throws {Invalid} when it is too long.
 * @throws {Conflict} when the review is not the reviewer's own and open any more, or when the draft has
 * been changed meanwhile, in another tab say; what it is now stays.
 */
export async function saveDraftFeedback(
  db: Database,
  actor: Actor | null,
  sent: { reviewId: string; feedback: string; version: string },
): Promise<string> {
  authorize(actor, "review.write");
  const { reviewId, version } = sent;
  const draft = cleanText(sent.feedback);
  if (draft.length > feedbackLimit) throw new Invalid({ feedback: messages.feedbackTooLong });
  if (!isUuid(reviewId)) throw new Conflict(messages.notOpen);

  const own = and(
    eq(reviewAssignments.reviewId, reviewId),
    eq(reviewAssignments.reviewerId, actor.id),
    isReviewerNow(db, actor.id),
  );
  const open = and(own, isNull(reviewAssignments.completedAt), reviewIsOpen(db, reviewId));
  const saved = await db
    .update(reviewAssignments)
    .set({ draftFeedback: draft === "" ? null : draft, draftSavedAt: now() })
    .where(and(open, isDraftUnchanged({ feedback: draft, version })))
    .returning({ id: reviewAssignments.id });
  if (saved.length > 0) return draftVersion(draft);
  if ((await db.$count(reviewAssignments, open)) > 0) throw new Conflict(messages.draftChanged);
  const isSubmitted = (await db.$count(reviewAssignments, own)) > 0;
  throw new Conflict(isSubmitted ? messages.alreadySubmitted : messages.notOpen);
}

function reviewIsOpen(db: Database, reviewId: string) {
  return exists(
    db
      .select({ one: sql`1` })
      .from(serviceReviews)
      .where(and(eq(serviceReviews.id, reviewId), ne(serviceReviews.status, "completed"))),
  );
}

/** Names a state of the draft; two tabs that have the same text have the same version. */
export function draftVersion(draft: string | null): string {
  return createHash("sha256")
    .update(draft ?? "")
    .digest("hex");
}

/** True in SQL while the draft is still what the writer began with, or already what they send. */
export function isDraftUnchanged(sent: { feedback: string; version: string }): SQL {
  const draft = sql`coalesce(${reviewAssignments.draftFeedback}, '')`;
  return or(
    eq(sql`encode(sha256(convert_to(${draft}, 'UTF8')), 'hex')`, sent.version),
    eq(draft, sent.feedback),
  ) as SQL;
}
