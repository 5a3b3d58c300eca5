import { and, eq } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import { recordAuditEvents } from "../../platform/audit.server.ts";
import { now } from "../../platform/clock.ts";
import type { Database } from "../../platform/database.server.ts";
import { Conflict, Invalid, NotFound } from "../../platform/errors.ts";
import { lockWritten } from "../remarks/remarks.server.ts";
import { cleanText } from "../staff-rules.ts";
import { briefLimits as limits, briefMessages as messages } from "./rules.ts";
import { reviewQuestions } from "./tables.server.ts";

/** What is sent to answer a question; texts as they were typed, "" for none. */
export type SentAnswer = {
  reviewId: string;
  position: number;
  answer: string;
  /** The answer that the writer began from. */
  seen: string;
};

/**
 * Answers one of the customer's questions, on a review that the actor writes: the reviewer while it is
 * open, a god admin when it is completed. An empty answer takes it back.
 *
 * @throws {Invalid} for one that is too long.
 * @throws {NotFound} when the review is not theirs, or does not have the question.
 * @throws {Conflict} when the answer was changed meanwhile, or the review cannot be written any more.
 */
export async function answerQuestion(
  db: Database,
  actor: Actor | null,
  { reviewId, position, ...sent }: SentAnswer,
): Promise<void> {
  authorize(actor, "review.remark");
  const answer = cleanAnswer(sent.answer);
  if (answer && answer.length > limits.answer)
    throw new Invalid({ answer: messages.answerTooLong });
  await db.transaction(async (tx) => {
    const { isEdit } = await lockWritten(tx, actor, reviewId);
    const asked = and(
      eq(reviewQuestions.reviewId, reviewId),
      eq(reviewQuestions.position, position),
    );
    const [before] = Number.isInteger(position)
      ? await tx.select().from(reviewQuestions).where(asked)
      : [];
    if (!before) throw new NotFound("There is no such question.");
    if (before.answer === answer) return;
    if (before.answer !== cleanAnswer(sent.seen)) throw new Conflict(messages.answerChanged);
    await tx
      .update(reviewQuestions)
      .set({ answer, answeredAt: answer === null ? null : now() })
      .where(asked);
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

function cleanAnswer(typed: string): string | null {
  return cleanText(typed).trim() || null;
}
