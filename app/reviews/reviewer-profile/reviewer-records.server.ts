import { and, avg, count, eq, isNotNull, isNull, sql } from "drizzle-orm";
import { day, now } from "../../platform/clock.ts";
import { countNoun } from "../../platform/count-noun.ts";
import { type Database, readSparingly } from "../../platform/database.server.ts";
import { formatIndianNumber } from "../../platform/numbers.ts";
import { figuresFor } from "../rules.ts";
import {
  reviewAssignments,
  reviewerProfiles,
  reviewRatings,
  serviceReviews,
} from "../tables.server.ts";

/** The figures of a reviewer. Refunded reviews don't count. */
export type ReviewerRecord = {
  /** Reviews completed in the last 90 days. */
  completed: number;
  /** The number of these with a due date. */
  promised: number;
  /** The number of these completed by their first due date. Extensions don't count. */
  onTime: number;
  /** Ratings of all their reviews. */
  ratings: number;
  /** 1 to 5; null without ratings. */
  averageRating: number | null;
};

export const noRecord: ReviewerRecord = {
  completed: 0,
  promised: 0,
  onTime: 0,
  ratings: 0,
  averageRating: null,
};

/** Returns the records of the people who have completed reviews and wrote an introduction, at most a minute old. */
export function getReviewerRecords(db: Database): Promise<Map<string, ReviewerRecord>> {
  return readSparingly(db, "reviewer records", () => countReviewerRecords(db));
}

/** Counts the records of the people who have completed reviews and wrote an introduction, by their ids. */
export async function countReviewerRecords(db: Database): Promise<Map<string, ReviewerRecord>> {
  const { completedAt, isOpen, reviewerId, reviewId, reviewStatus } = reviewAssignments;
  const { dueAt, withdrawnAt } = serviceReviews;
  const since = new Date(now().getTime() - figuresFor).toISOString();
  const isRecent = sql`${completedAt} > ${since}::timestamptz`;
  const rows = await db
    .select({
      reviewerId,
      completed: sql<number>`(count(*) filter (where ${isRecent}))::integer`,
      promised: sql<number>`(count(${dueAt}) filter (where ${isRecent}))::integer`,
      onTime: sql<number>`(count(*) filter (where ${isRecent} and ${completedAt} <= ${dueAt}))::integer`,
      ratings: count(reviewRatings.rating),
      averageRating: avg(reviewRatings.rating).mapWith(Number),
    })
    .from(reviewerProfiles)
    .innerJoin(
      reviewAssignments,
      and(
        // With the next condition, an index finds the rows by reviewer.
        eq(reviewerId, reviewerProfiles.userId),
        eq(isOpen, false),
        isNotNull(completedAt),
        eq(reviewStatus, "completed"),
      ),
    )
    .innerJoin(serviceReviews, and(eq(serviceReviews.id, reviewId), isNull(withdrawnAt)))
    .leftJoin(reviewRatings, eq(reviewRatings.reviewId, reviewId))
    .groupBy(reviewerId);
  return new Map(rows.map(({ reviewerId: id, ...record }) => [id, record]));
}

/** With fewer ratings, a reviewer is new. */
const minRatings = 5;

/** Formats a record: "12 reviews in 90 days · 11 of 12 on time · 4.8 of 5 from 12 ratings", or "New here". */
export function formatRecord(record: ReviewerRecord): string {
  const { completed, promised, onTime, ratings, averageRating } = record;
  const [all, inTime] = [promised, onTime].map(formatIndianNumber);
  return [
    completed > 0 && `${countNoun(completed, "review")} in ${figuresFor / day} days`,
    promised > 0 && `${inTime} of ${all} on time`,
    averageRating === null || ratings < minRatings
      ? "New here"
      : `${averageRating.toFixed(1)} of 5 from ${countNoun(ratings, "rating")}`,
  ]
    .filter(Boolean)
    .join(" · ");
}
