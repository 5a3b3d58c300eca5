import { cleanText } from "../../platform/text/text.ts";
import { and, asc, eq } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import { lockPerson } from "../../accounts/session.server.ts";
import { recordAuditEvents } from "../../platform/audit.server.ts";
import { now } from "../../platform/clock.ts";
import { type Database, isUuid } from "../../platform/database.server.ts";
import { Conflict, Invalid } from "../../platform/errors.ts";
import { lockEditableReview } from "../../reviews/locks.server.ts";
import { listReviewCriteria, isCriterion, type Scores } from "../../reviews/rubric.ts";
import { limits, remarkMessages as messages } from "../rules.ts";
import { reviewerPhrases, reviewScores } from "../tables.server.ts";

/** Returns the scores of a review. Check permission before calling it. */
export async function getScores(db: Database, reviewId: string): Promise<Scores> {
  const rows = await db.select().from(reviewScores).where(eq(reviewScores.reviewId, reviewId));
  return Object.fromEntries(
    rows.filter(({ criterion }) => isCriterion(criterion)).map((row) => [row.criterion, row.score]),
  );
}

/**
 * Saves or removes the score of one criterion. The last change wins.
 *
 * @param score 1 to 5; null removes it
 * @throws {Invalid} for any other score, or a criterion of another kind of review.
 * @throws {NotFound} when the actor cannot edit the review.
 * @throws {Conflict} when it is no longer editable.
 */
export async function scoreCriterion(
  db: Database,
  actor: Actor | null,
  { reviewId, criterion, score }: { reviewId: string; criterion: string; score: number | null },
): Promise<void> {
  authorize(actor, "review.remark");
  if (score !== null && !(Number.isInteger(score) && score >= 1 && score <= 5))
    throw new Invalid({ score: messages.scoreUnknown });
  await db.transaction(async (tx) => {
    const { review, isEdit } = await lockEditableReview(tx, actor, reviewId);
    if (!isCriterion(criterion) || !listReviewCriteria(review.serviceType).includes(criterion))
      throw new Invalid({ criterion: messages.criterionUnknown });
    const { [criterion]: before = null } = await getScores(tx, reviewId);
    if (before === score) return;
    if (score === null) {
      await tx
        .delete(reviewScores)
        .where(and(eq(reviewScores.reviewId, reviewId), eq(reviewScores.criterion, criterion)));
    } else {
      const scored = { score, updatedAt: now() };
      await tx
        .insert(reviewScores)
        .values({ reviewId, criterion, ...scored })
        .onConflictDoUpdate({
          target: [reviewScores.reviewId, reviewScores.criterion],
          set: scored,
        });
    }
    if (isEdit)
      await recordAuditEvents(tx, [
        {
          actor,
          event: "review.edit-score",
          subject: { type: "review", id: reviewId },
          before: { [criterion]: before },
          after: { [criterion]: score },
        },
      ]);
  });
}

/** A text that a reviewer uses often. */
export type Phrase = { id: string; text: string };

export function listPhrases(db: Database, actor: { id: string }): Promise<Phrase[]> {
  return db
    .select({ id: reviewerPhrases.id, text: reviewerPhrases.text })
    .from(reviewerPhrases)
    .where(eq(reviewerPhrases.userId, actor.id))
    .orderBy(asc(reviewerPhrases.text));
}

/**
 * Saves a text as a phrase of the actor's own. Saving the same text again changes nothing.
 *
 * @throws {Invalid} for an empty text, or one longer than a remark.
 * @throws {Conflict} when the actor has the maximum number of phrases.
 */
export async function savePhrase(
  db: Database,
  actor: Actor | null,
  { text: typed }: { text: string },
): Promise<void> {
  authorize(actor, "review.write");
  const text = cleanText(typed).trim();
  if (text === "") throw new Invalid({ phrase: messages.textMissing });
  if (text.length > limits.text) throw new Invalid({ phrase: messages.textTooLong });
  await db.transaction(async (tx) => {
    // The lock makes concurrent saves count one after the other.
    await lockPerson(tx, actor.id);
    const count = await tx.$count(reviewerPhrases, eq(reviewerPhrases.userId, actor.id));
    if (count >= limits.phrases) throw new Conflict(messages.tooManyPhrases);
    await tx
      .insert(reviewerPhrases)
      .values({ userId: actor.id, text, createdAt: now() })
      .onConflictDoNothing();
  });
}

/** Deletes a phrase of the actor. Other people's phrases are not found. */
export async function deletePhrase(
  db: Database,
  actor: Actor | null,
  { id }: { id: string },
): Promise<void> {
  authorize(actor, "review.write");
  if (!isUuid(id)) return;
  await db
    .delete(reviewerPhrases)
    .where(and(eq(reviewerPhrases.id, id), eq(reviewerPhrases.userId, actor.id)));
}
