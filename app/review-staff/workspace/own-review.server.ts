import { cleanText } from "../../platform/text/text.ts";
import { createHash } from "node:crypto";
import { and, eq, exists, isNull, ne, or, type SQL, sql } from "drizzle-orm";
import { type Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import { recordAuditEvents } from "../../platform/audit.server.ts";
import { now } from "../../platform/clock.ts";
import { type Database, isUuid } from "../../platform/database.server.ts";
import { Conflict, Invalid } from "../../platform/errors.ts";
import { isActiveReviewer, lockOwnOpenReview } from "../../reviews/locks.server.ts";
import { feedbackLimit, messages } from "../../reviews/staff-rules.ts";
import { reviewAssignments, serviceReviews } from "../../reviews/tables.server.ts";
import type { SavedDraft } from "./use-draft.ts";

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
 * Saves unsubmitted feedback on the reviewer's own open assignment, private to them. It is not in the audit
 * trail, since it happens every few seconds and changes no review.
 *
 * @param form.version of the draft that the text was written from
 * @returns the version of the saved draft.
 * @throws {Invalid} when it is too long.
 * @throws {Conflict} when the review is no longer open to the reviewer, or the draft was changed in the meantime, for
 * example in another tab. The stored draft then stays.
 */
export async function saveDraftFeedback(
  db: Database,
  actor: Actor | null,
  form: { reviewId: string; feedback: string; version: string },
): Promise<string> {
  authorize(actor, "review.write");
  const { reviewId, version } = form;
  const draft = cleanText(form.feedback);
  if (draft.length > feedbackLimit) throw new Invalid({ feedback: messages.feedbackTooLong });
  if (!isUuid(reviewId)) throw new Conflict(messages.notOpen);

  const own = and(
    eq(reviewAssignments.reviewId, reviewId),
    eq(reviewAssignments.reviewerId, actor.id),
    isActiveReviewer(db, actor.id),
  );
  const open = and(own, isNull(reviewAssignments.completedAt), isReviewOpen(db, reviewId));
  const saved = await db
    .update(reviewAssignments)
    .set({ draftFeedback: draft === "" ? null : draft, draftSavedAt: now() })
    .where(and(open, isDraftUnchanged({ feedback: draft, version })))
    .returning({ id: reviewAssignments.id });
  if (saved.length > 0) return getDraftVersion(draft);
  const [current] = await db
    .select({ draft: reviewAssignments.draftFeedback })
    .from(reviewAssignments)
    .where(open);
  if (current) throw createDraftConflict(current.draft);
  const isSubmitted = (await db.$count(reviewAssignments, own)) > 0;
  throw isSubmitted
    ? new Conflict(messages.alreadySubmitted, { code: "already-submitted" })
    : new Conflict(messages.notOpen);
}

/** Creates the conflict of a changed draft. @param draft the stored one; undefined to leave it out */
export function createDraftConflict(draft?: string | null): Conflict {
  const current = draft === undefined ? undefined : toSavedDraft(draft);
  return new Conflict(messages.draftChanged, { code: "changed", current });
}

/** Returns a draft with its version, which the next save has to name. */
export function toSavedDraft(draft: string | null): SavedDraft {
  return { feedback: draft ?? "", version: getDraftVersion(draft) };
}

function isReviewOpen(db: Database, reviewId: string) {
  return exists(
    db
      .select({ one: sql`1` })
      .from(serviceReviews)
      .where(and(eq(serviceReviews.id, reviewId), ne(serviceReviews.status, "completed"))),
  );
}

/** Returns the version of a draft. Two tabs with the same text have the same version. */
export function getDraftVersion(draft: string | null): string {
  return createHash("sha256")
    .update(draft ?? "")
    .digest("hex");
}

/** True in SQL while the stored draft is the one the writer started from, or already the one they send. */
export function isDraftUnchanged(form: { feedback: string; version: string }): SQL {
  const draft = sql`coalesce(${reviewAssignments.draftFeedback}, '')`;
  return or(
    eq(sql`encode(sha256(convert_to(${draft}, 'UTF8')), 'hex')`, form.version),
    eq(draft, form.feedback),
  ) as SQL;
}
