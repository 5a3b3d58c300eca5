import { cleanText } from "../../platform/text/text.ts";
import { and, eq, sql } from "drizzle-orm";
import { z } from "zod";
import { type Actor, currentActor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import { profiles, staffRoles, users } from "../../accounts/tables.server.ts";
import { appContext } from "../../platform/app-context.server.ts";
import { now, formatShortDate } from "../../platform/clock.ts";
import { type Database, isUuid } from "../../platform/database.server.ts";
import { Conflict, NotFound } from "../../platform/errors.ts";
import {
  createFormIntent,
  showReasonAboveForm,
  buildSuccess,
} from "../../platform/forms.server.ts";
import { readReviewId } from "../addresses.ts";
import { isOwnCompletedReview } from "../may-read-file.server.ts";
import { figuresFor } from "../rules.ts";
import { reviewAssignments, reviewRatings, serviceReviews } from "../tables.server.ts";
import {
  type OwnRating,
  ratingChangeableFor,
  ratingLimits,
  ratingMessages as messages,
} from "./rules.ts";

/** Finds the rating of a review; null without one. Check permission before calling it. */
export async function findRating(db: Database, reviewId: string): Promise<OwnRating | null> {
  const [row] = await db.select().from(reviewRatings).where(eq(reviewRatings.reviewId, reviewId));
  if (!row) return null;
  const { rating, words, ratedAt } = row;
  return {
    rating,
    words,
    ratedOn: formatShortDate(ratedAt),
    changeableUntil: isRatingChangeable(row) ? formatShortDate(getChangeDeadline(row)) : null,
  };
}

/**
 * Rates the actor's own completed review, or changes the rating within a week.
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
      .where(and(eq(serviceReviews.id, reviewId), isOwnCompletedReview(actor)))
      .for("no key update");
    if (!own) throw new NotFound();
    const ofReview = eq(reviewRatings.reviewId, reviewId);
    const [before] = await tx.select().from(reviewRatings).where(ofReview);
    if (!before) {
      await tx.insert(reviewRatings).values({ reviewId, rating, words, ratedAt: now() });
      return;
    }
    if (before.rating === rating && before.words === words) return;
    if (!isRatingChangeable(before)) throw new Conflict(messages.tooLate);
    await tx.update(reviewRatings).set({ rating, words, changedAt: now() }).where(ofReview);
  });
}

export const rateForm = createFormIntent({
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
      reviewId: readReviewId(posted) ?? "",
      ...value,
    }),
  done: () => buildSuccess("Thank you. Your rating is saved"),
  failed: showReasonAboveForm("Failed to save your rating"),
});

function getChangeDeadline({ ratedAt }: { ratedAt: Date }): Date {
  return new Date(ratedAt.getTime() + ratingChangeableFor);
}

function isRatingChangeable(rating: { ratedAt: Date }): boolean {
  return now() < getChangeDeadline(rating);
}

/** A reviewer's recent figures. */
type ReviewerFigures = {
  id: string;
  name: string;
  completed: number;
  /** The number with a due date; imported reviews have none. */
  promised: number;
  /** The number completed by the first due date, regardless of extensions. */
  onTime: number;
  /** Hours from submission to completion; null without completed reviews. */
  medianHours: number | null;
  ratings: number;
  /** 1 to 5; null without ratings. */
  averageRating: number | null;
};

/**
 * Lists all reviewers, and former ones with recently completed reviews, by name. Their figures cover reviews
 * completed in that period, except refunded ones. Hours count from the payment.
 */
export async function listReviewerFigures(
  db: Database,
  actor: Actor | null,
): Promise<ReviewerFigures[]> {
  authorize(actor, "review.oversee");
  const since = new Date(now().getTime() - figuresFor);
  const { completedAt, reviewerId, reviewStatus, submittedAt } = reviewAssignments;
  const { dueAt, withdrawnAt } = serviceReviews;
  const hours = sql`date_part('epoch', ${completedAt} - ${submittedAt}) / 3600`;
  // The conditions must equal the index condition literally, so that the planner uses the index.
  const { rows } = await db.execute<ReviewerFigures & { fullName: string | null }>(sql`
    with done as (
      select ${reviewerId} as reviewer,
        count(*)::integer as completed,
        count(${dueAt})::integer as promised,
        (count(*) filter (where ${completedAt} <= ${dueAt}))::integer as on_time,
        percentile_cont(0.5) within group (order by ${hours}) as median_hours,
        count(${reviewRatings.rating})::integer as ratings,
        avg(${reviewRatings.rating})::float as average_rating
      from ${reviewAssignments}
      join ${serviceReviews} on ${serviceReviews.id} = ${reviewAssignments.reviewId}
      left join ${reviewRatings} on ${reviewRatings.reviewId} = ${reviewAssignments.reviewId}
      where ${completedAt} > ${since.toISOString()}::timestamptz
        and ${completedAt} is not null and ${reviewStatus} = 'completed' and ${withdrawnAt} is null
      group by ${reviewerId}
    ), reviewers as (
      select ${staffRoles.userId} as id from ${staffRoles} where ${staffRoles.role} = 'reviewer'
      union select reviewer from done
    )
    select ${users.id}, ${profiles.fullName} as "fullName", coalesce(completed, 0) as completed,
      coalesce(promised, 0) as promised, coalesce(on_time, 0) as "onTime", median_hours as "medianHours",
      coalesce(ratings, 0) as ratings, average_rating as "averageRating"
    from reviewers join ${users} on ${users.id} = reviewers.id
    left join ${profiles} on ${profiles.id} = ${users.id}
    left join done on reviewer = ${users.id}
    order by ${profiles.fullName} collate "und-x-icu", ${users.id}`);
  return rows.map(({ fullName, ...row }) => ({ ...row, name: fullName?.trim() || "Unknown" }));
}
