import { and, eq } from "drizzle-orm";
import { z } from "zod";
import { type Actor, currentActor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import type { Sender } from "../../mail/deliver-mail.server.ts";
import { appContext } from "../../platform/app-context.server.ts";
import { recordAuditEvents } from "../../platform/audit.server.ts";
import { now } from "../../platform/clock.ts";
import { type Database, isUuid } from "../../platform/database.server.ts";
import { Conflict, NotFound } from "../../platform/errors.ts";
import {
  createFormIntent,
  type Failure,
  showReasonAboveForm,
} from "../../platform/forms.server.ts";
import { redirect } from "../../platform/redirect.server.ts";
import { readReviewId } from "../../reviews/addresses.ts";
import { isOwnCompletedReview } from "../../reviews/may-read-file.server.ts";
import { getAskableUntil } from "../../reviews/question-window.ts";
import { reviewAssignments, serviceReviews } from "../../reviews/tables.server.ts";
import { draftFields, isSameDraft, requireSameVersion, validateDraft } from "./drafts.server.ts";
import { notifyReviewerOfQuestionLater } from "./emails.server.tsx";
import { answeredWithin, type FollowUpDraft, followUpMessages as messages } from "./rules.ts";
import { toQuestionDraft } from "./questions.server.ts";
import { followUpQuestions } from "./tables.server.ts";

type SentQuestion = FollowUpDraft & { reviewId: string };

/**
 * Saves the draft of a customer's question. It is not in the audit trail, since nobody else sees it.
 *
 * @returns the draft's new version
 * @throws {NotFound} when the review is not theirs, or is not completed.
 * @throws {Invalid} for a text that is too long, or a remark that the review doesn't have.
 * @throws {Conflict} when another tab has saved in the meantime, or nothing more can be asked.
 */
export async function saveQuestion(
  db: Database,
  actor: Actor | null,
  form: SentQuestion,
): Promise<number> {
  authorize(actor, "question.ask");
  return db.transaction(async (tx) => {
    const { stored, isAsked } = await lockAskableReview(tx, actor, form);
    if (isAsked) return stored!.version;
    const draft = await validateDraft(tx, form, "question", false);
    return saveQuestionDraft(tx, form.reviewId, stored, draft);
  });
}

/**
 * Asks the one question about the actor's own completed review, and emails the reviewer. Asking the same twice asks it
 * once.
 *
 * @throws {NotFound} when the review is not theirs, or is not completed.
 * @throws {Invalid} for a text of another length, or a remark that the review doesn't have.
 * @throws {Conflict} for a second question, a refunded review, after a week, or when another tab has saved in the meantime.
 */
export async function sendQuestion(
  db: Database,
  actor: Actor | null,
  form: SentQuestion,
  sender: Sender,
): Promise<void> {
  authorize(actor, "question.ask");
  const { reviewId } = form;
  await db.transaction(async (tx) => {
    const { review, reviewerId, stored, isAsked } = await lockAskableReview(tx, actor, form);
    if (isAsked) return;
    const draft = await validateDraft(tx, form, "question", true);
    await saveQuestionDraft(tx, reviewId, stored, draft);
    const askedAt = now();
    const dueAt = new Date(askedAt.getTime() + answeredWithin);
    await tx
      .update(followUpQuestions)
      .set({ askedAt, dueAt, reviewerId })
      .where(eq(followUpQuestions.reviewId, reviewId));
    const subject = { type: "review", id: reviewId };
    await recordAuditEvents(tx, [
      { actor, event: "question.ask", subject, after: { dueAt: dueAt.toISOString() } },
    ]);
    await notifyReviewerOfQuestionLater(tx, sender, reviewerId, { ...review, dueAt });
  });
}

/** Locks the actor's own completed review, with the draft of its question. */
async function lockAskableReview(tx: Database, actor: Actor, form: SentQuestion) {
  const { reviewId } = form;
  const [review] = isUuid(reviewId)
    ? await tx
        .select()
        .from(serviceReviews)
        .where(and(eq(serviceReviews.id, reviewId), isOwnCompletedReview(actor)))
        .for("no key update")
    : [];
  if (!review) throw new NotFound();
  const [assignment] = await tx
    .select()
    .from(reviewAssignments)
    .where(eq(reviewAssignments.reviewId, reviewId));
  const [row] = await tx
    .select()
    .from(followUpQuestions)
    .where(eq(followUpQuestions.reviewId, reviewId));
  const stored = row && toQuestionDraft(row);
  if (row?.askedAt && !isSameDraft(stored!, form))
    throw new Conflict(messages.alreadyAsked, { code: "already-asked" });
  const isAsked = row !== undefined && row.askedAt !== null;
  if (!isAsked && review.withdrawnAt) throw new Conflict(messages.refunded);
  const completedAt = assignment?.completedAt;
  const isAskable = completedAt ? now() < getAskableUntil(completedAt) : false;
  if (!isAsked && !isAskable) throw new Conflict(messages.tooLate);
  return { review, reviewerId: assignment?.reviewerId ?? null, stored, isAsked };
}

async function saveQuestionDraft(
  tx: Database,
  reviewId: string,
  stored: FollowUpDraft | undefined,
  draft: FollowUpDraft,
): Promise<number> {
  const written = { question: draft.text, remarkId: draft.remark || null };
  if (!stored) {
    if (draft.text === "" && draft.remark === "") return 0;
    await tx.insert(followUpQuestions).values({ reviewId, ...written });
    return 1;
  }
  requireSameVersion(stored, draft);
  if (stored.text === draft.text && stored.remark === draft.remark) return stored.version;
  await tx
    .update(followUpQuestions)
    .set({ ...written, version: stored.version + 1 })
    .where(eq(followUpQuestions.reviewId, reviewId));
  return stored.version + 1;
}

/** The form that asks the question. */
export const askForm = createFormIntent({
  schema: z.object(draftFields),
  run({ context, value, ...posted }) {
    const { db, config } = context.get(appContext);
    const reviewId = readReviewId(posted) ?? "";
    return sendQuestion(db, context.get(currentActor), { reviewId, ...value }, config);
  },
  done: (_, posted) => ({
    toast: { kind: "success", title: "Your question is with your reviewer" },
    data: redirect(`/service-review/${readReviewId(posted) ?? ""}/question`),
  }),
  failed: (problem) => showReasonAboveForm("Your question wasn't sent")(withoutVersion(problem)),
});

/** After a conflict the form shows the other text, and the next submission replaces it. */
export function withoutVersion(problem: Failure): Failure {
  if (problem.code === "changed") delete problem.refusal.data.values.version;
  return problem;
}
