import { sql } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import { profiles, staffRoles, users } from "../../accounts/tables.server.ts";
import { now } from "../../platform/clock.ts";
import type { Database } from "../../platform/database.server.ts";
import { reviewAssignments, serviceReviews } from "../tables.server.ts";
import { figuresFor } from "./rules.ts";
import { reviewRatings } from "./tables.server.ts";

/** How somebody reviews, from what they completed lately. */
export type ReviewerFigures = {
  id: string;
  name: string;
  completed: number;
  /** How many of those were promised for a moment; imported and earlier ones were not. */
  promised: number;
  /** How many of these were completed by then, whatever later date was set. */
  onTime: number;
  /** From the submission to the completion; null when nothing was completed. */
  medianHours: number | null;
  ratings: number;
  /** From 1 to 5; null without ratings. */
  averageRating: number | null;
};

/**
 * Lists everybody who is a reviewer or has completed reviews lately, by name, with figures over the
 * reviews that they completed in that time, but for those whose money was given back. Hours count from when a
 * review was paid for.
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
  // In the words of the index of completed ones, which the planner knows again.
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
