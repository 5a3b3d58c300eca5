import { and, eq } from "drizzle-orm";
import { z } from "zod";
import { type Actor, currentActor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import { appContext } from "../../platform/app-context.server.ts";
import { now, shortDate } from "../../platform/clock.ts";
import { type Database, isUuid } from "../../platform/database.server.ts";
import { Conflict, NotFound } from "../../platform/errors.ts";
import { isOwnCompleted } from "../may-read-file.server.ts";
import { failure, formIntent, succeeded } from "../../platform/forms.server.ts";
import { reviewIdOf } from "../addresses.ts";
import { cleanText } from "../staff-rules.ts";
import { serviceReviews } from "../tables.server.ts";
import {
  type OwnRating,
  ratingChangeableFor,
  ratingLimits,
  ratingMessages as messages,
} from "./rules.ts";
import { reviewRatings } from "./tables.server.ts";

/** The rating of a review, null while there is none; who may see it is asked before. */
export async function readRating(db: Database, reviewId: string): Promise<OwnRating | null> {
  const [row] = await db.select().from(reviewRatings).where(eq(reviewRatings.reviewId, reviewId));
  if (!row) return null;
  const { rating, words, ratedAt } = row;
  return {
    rating,
    words,
    ratedOn: shortDate(ratedAt),
    changeableUntil: isChangeable(row) ? shortDate(changeableUntil(row)) : null,
  };
}

/**
 * Rates a completed review of one's own, or changes that within a week of the first time.
 *
 * @param sent.rating 1 to 5
 * @throws {NotFound} when the review is not theirs, or is not completed.
 * @throws {Conflict} when the week is over.
 */
export async function rateReview(
  db: Database,
  actor: Actor | null,
  { reviewId, rating, words }: { reviewId: string; rating: number; words: string | null },
): Promise<void> {
  authorize(actor, "review.rate");
  if (!isUuid(reviewId)) throw new NotFound();
  await db.transaction(async (tx) => {
    const [own] = await tx
      .select({ id: serviceReviews.id })
      .from(serviceReviews)
      .where(and(eq(serviceReviews.id, reviewId), isOwnCompleted(actor)))
      .for("no key update");
    if (!own) throw new NotFound();
    const ofReview = eq(reviewRatings.reviewId, reviewId);
    const [before] = await tx.select().from(reviewRatings).where(ofReview);
    if (!before) {
      await tx.insert(reviewRatings).values({ reviewId, rating, words, ratedAt: now() });
      return;
    }
    if (before.rating === rating && before.words === words) return;
    if (!isChangeable(before)) throw new Conflict(messages.tooLate);
    await tx.update(reviewRatings).set({ rating, words, changedAt: now() }).where(ofReview);
  });
}

/** The form below a result. */
export const rateForm = formIntent({
  schema: z.object({
    rating: z
      .string()
      .regex(/^[1-5]$/, messages.ratingMissing)
      .transform(Number),
    words: z
      .string()
      .transform((typed) => cleanText(typed).trim() || null)
      .refine((text) => (text?.length ?? 0) <= ratingLimits.words, messages.wordsTooLong),
  }),
  run: ({ context, value, ...posted }) =>
    rateReview(context.get(appContext).db, context.get(currentActor), {
      reviewId: reviewIdOf(posted) ?? "",
      ...value,
    }),
  done: () => succeeded("Thank you. Your rating is saved"),
  failed: ({ message, refusal }) => ({
    toast: failure("Failed to save your rating", message),
    data: refusal,
  }),
});

function changeableUntil({ ratedAt }: { ratedAt: Date }): Date {
  return new Date(ratedAt.getTime() + ratingChangeableFor);
}

function isChangeable(rating: { ratedAt: Date }): boolean {
  return now() < changeableUntil(rating);
}
