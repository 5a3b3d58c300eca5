import { redirect } from "../../platform/redirect.server.ts";
import { cleanText } from "../../platform/text/text.ts";
import { and, eq } from "drizzle-orm";
import { z } from "zod";
import { type Actor, currentActor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import { appContext } from "../../platform/app-context.server.ts";
import { recordAuditEvents } from "../../platform/audit.server.ts";
import { now } from "../../platform/clock.ts";
import type { Database } from "../../platform/database.server.ts";
import { Conflict, Invalid, NotFound } from "../../platform/errors.ts";
import { createFormIntent, showReasonAboveForm } from "../../platform/forms.server.ts";
import { getOwnPath } from "../../platform/own-path.ts";
import { briefLimits as limits, briefMessages as messages } from "../../reviews/brief.ts";
import { lockEditableReview } from "../../reviews/locks.server.ts";
import { reviewQuestions } from "../../reviews/tables.server.ts";

/** An answer as it was sent; texts as typed, "" for none. */
type SentAnswer = {
  reviewId: string;
  position: number;
  answer: string;
  /** The stored answer that the writer saw before editing. */
  seen: string;
};

/**
 * Saves an answer to one of the customer's questions. A reviewer can answer while the review is open, a god
 * admin once it is completed. An empty answer deletes it.
 *
 * @throws {Invalid} for an answer that is too long.
 * @throws {NotFound} when the review is not theirs, or has no such question.
 * @throws {Conflict} when the answer was changed meanwhile, or the review is no longer editable.
 */
export async function answerQuestion(
  db: Database,
  actor: Actor | null,
  { reviewId, position, ...form }: SentAnswer,
): Promise<void> {
  authorize(actor, "review.remark");
  const answer = normalizeAnswer(form.answer);
  if (answer && answer.length > limits.answer)
    throw new Invalid({ answer: messages.answerTooLong });
  await db.transaction(async (tx) => {
    const { isEdit } = await lockEditableReview(tx, actor, reviewId);
    const isQuestion = and(
      eq(reviewQuestions.reviewId, reviewId),
      eq(reviewQuestions.position, position),
    );
    const [before] = Number.isInteger(position)
      ? await tx.select().from(reviewQuestions).where(isQuestion)
      : [];
    if (!before) throw new NotFound("There is no such question.");
    if (before.answer === answer) return;
    if (before.answer !== normalizeAnswer(form.seen))
      throw new Conflict(messages.answerChanged, { code: "changed", current: before.answer ?? "" });
    await tx
      .update(reviewQuestions)
      .set({ answer, answeredAt: answer === null ? null : now() })
      .where(isQuestion);
    if (isEdit)
      await recordAuditEvents(tx, [
        {
          actor,
          event: "review.edit-answer",
          subject: { type: "review", id: reviewId },
          before: { answer: before.answer },
          after: { answer },
        },
      ]);
  });
}

function normalizeAnswer(typed: string): string | null {
  return cleanText(typed).trim() || null;
}

/** The schema of an answer change, for an endpoint's union of changes. */
export const answerChange = z.object({
  intent: z.literal("answer"),
  position: z.coerce.number(),
  answer: z.string(),
  seen: z.string(),
});

/** The form of an answer on a screen, for browsers without scripts. */
export const answerForm = createFormIntent({
  schema: answerChange,
  run: ({ context, params: { reviewId = "" }, value }) =>
    answerQuestion(context.get(appContext).db, context.get(currentActor), { reviewId, ...value }),
  done: (_, { url: { pathname } }) => ({
    toast: { kind: "success", title: "Answer saved" },
    data: redirect(`${getOwnPath({ pathname })}#brief`),
  }),
  failed(problem) {
    // The form then shows the changed answer, and the next submission starts from it.
    if (problem.code === "changed") delete problem.refusal.data.values.seen;
    return showReasonAboveForm("Failed to save the answer")(problem);
  },
});
