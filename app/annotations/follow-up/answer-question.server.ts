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
import { createFormIntent, showReasonAboveForm } from "../../platform/forms.server.ts";
import { redirect } from "../../platform/redirect.server.ts";
import { lockReview } from "../../reviews/locks.server.ts";
import { serviceReviews } from "../../reviews/tables.server.ts";
import { withoutVersion } from "./ask-question.server.ts";
import { draftFields, isSameDraft, requireSameVersion, validateDraft } from "./drafts.server.ts";
import { notifyCustomerOfAnswerLater } from "./emails.server.tsx";
import { type FollowUpDraft, followUpMessages as messages } from "./rules.ts";
import { isOwnQuestion, toAnswerDraft } from "./questions.server.ts";
import { followUpQuestions } from "./tables.server.ts";

type SentAnswer = FollowUpDraft & { reviewId: string };

/**
 * Saves the draft of an answer. It is not in the audit trail, since it happens every few seconds.
 *
 * @returns the draft's new version
 * @throws {NotFound} when the question is not theirs to answer.
 * @throws {Invalid} for a text that is too long, or a remark that the review doesn't have.
 * @throws {Conflict} when another tab has saved in the meantime, or nothing more can be answered.
 */
export async function saveAnswer(
  db: Database,
  actor: Actor | null,
  form: SentAnswer,
): Promise<number> {
  authorize(actor, "question.answer");
  return db.transaction(async (tx) => {
    const { stored, isAnswered } = await lockOwnQuestion(tx, actor, form);
    if (isAnswered) return stored.version;
    return saveAnswerDraft(
      tx,
      form.reviewId,
      stored,
      await validateDraft(tx, form, "answer", false),
    );
  });
}

/**
 * Answers a customer's question, and emails the customer. Sending the same answer twice sends it once.
 *
 * @throws {NotFound} when the question is not theirs to answer.
 * @throws {Invalid} for a text of another length, or a remark that the review doesn't have.
 * @throws {Conflict} for a second answer, a refunded review, or when another tab has saved in the meantime.
 */
export async function sendAnswer(
  db: Database,
  actor: Actor | null,
  form: SentAnswer,
  sender: Sender,
): Promise<void> {
  authorize(actor, "question.answer");
  const { reviewId } = form;
  await db.transaction(async (tx) => {
    const { review, stored, isAnswered } = await lockOwnQuestion(tx, actor, form);
    if (isAnswered) return;
    await saveAnswerDraft(tx, reviewId, stored, await validateDraft(tx, form, "answer", true));
    await tx
      .update(followUpQuestions)
      .set({ answeredAt: now(), answeredBy: actor.id })
      .where(eq(followUpQuestions.reviewId, reviewId));
    const subject = { type: "review", id: reviewId };
    await recordAuditEvents(tx, [{ actor, event: "question.answer", subject }]);
    await notifyCustomerOfAnswerLater(tx, sender, review);
  });
}

/** Locks a review whose question the actor answers, with the draft of the answer. */
async function lockOwnQuestion(tx: Database, actor: Actor, form: SentAnswer) {
  const { reviewId } = form;
  if (!isUuid(reviewId)) throw new NotFound(messages.notYours);
  const review = await lockReview(tx, reviewId);
  const [row] = await tx
    .select({ followUp: followUpQuestions })
    .from(followUpQuestions)
    .innerJoin(serviceReviews, eq(serviceReviews.id, followUpQuestions.reviewId))
    .where(and(eq(followUpQuestions.reviewId, reviewId), isOwnQuestion(tx, actor)));
  if (!row) throw new NotFound(messages.notYours);
  const stored = toAnswerDraft(row.followUp);
  const isAnswered = row.followUp.answeredAt !== null;
  if (isAnswered && !isSameDraft(stored, form))
    throw new Conflict(messages.alreadyAnswered, { code: "already-answered" });
  if (!isAnswered && review.withdrawnAt) throw new Conflict(messages.refunded);
  return { review, stored, isAnswered };
}

async function saveAnswerDraft(
  tx: Database,
  reviewId: string,
  stored: FollowUpDraft,
  draft: FollowUpDraft,
): Promise<number> {
  requireSameVersion(stored, draft);
  if (stored.text === draft.text && stored.remark === draft.remark) return stored.version;
  const answerVersion = stored.version + 1;
  await tx
    .update(followUpQuestions)
    .set({ answer: draft.text, answerRemarkId: draft.remark || null, answerVersion })
    .where(eq(followUpQuestions.reviewId, reviewId));
  return answerVersion;
}

/** The form that sends the answer. */
export const sendAnswerForm = createFormIntent({
  schema: z.object(draftFields),
  run({ context, params: { reviewId = "" }, value }) {
    const { db, config } = context.get(appContext);
    return sendAnswer(db, context.get(currentActor), { reviewId, ...value }, config);
  },
  done: () => ({
    toast: { kind: "success", title: "Answer sent" },
    data: redirect("/reviewer"),
  }),
  failed: (problem) => showReasonAboveForm("Your answer wasn't sent")(withoutVersion(problem)),
});
