import { and, eq, isNull, sql } from "drizzle-orm";
import { type Actor, isNotBanned } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import { profiles, reviewers, users } from "../../accounts/tables.server.ts";
import { getDayStart, now, toIsoDay } from "../../platform/clock.ts";
import { type Database, createPreparedQuery } from "../../platform/database.server.ts";
import { countColumn } from "../../platform/lists/list.server.ts";
import { formatAvailability } from "../../reviews/reviewer-profile/availability.ts";
import { toCurrentAvailability } from "../../reviews/reviewer-profile/availability.server.ts";
import { getFieldLabel } from "../../reviews/fields-and-languages.ts";
import {
  reviewAssignments,
  reviewerAvailability,
  reviewerProfiles,
} from "../../reviews/tables.server.ts";

export type Assignee = Awaited<ReturnType<typeof listAssignees>>[number];

/**
 * Lists the reviewers who can get reviews now, by name, each with their open assignments, their availability, and the
 * fields and languages that they know.
 */
export async function listAssignees(db: Database, actor: Actor | null) {
  authorize(actor, "review.assign");
  const moment = now();
  const rows = await assigneesQuery(db).execute({
    moment: moment.toISOString(),
    today: getDayStart(toIsoDay(moment)).toISOString(),
  });
  return rows.map(
    ({ id, fullName, openAssignments, assignedToday, knownFields, languages, ...own }) => ({
      id,
      name: fullName?.trim() || "Unknown",
      openAssignments,
      /** "Away until Dec 2, 2026", "3 of 5 today", or "". */
      availability: formatAvailability({
        ...toCurrentAvailability(own, moment),
        assignedToday: assignedToday.counted,
      }),
      /** As labels: ["Motion design", "Tamil"]. */
      knows: [...(knownFields ?? []).map(getFieldLabel), ...(languages ?? [])],
    }),
  );
}

/** Keeps only the fields and languages that the customers of these reviews wish for. */
export function keepWished(
  assignees: readonly Assignee[],
  reviews: readonly { wishes: readonly string[] }[],
): Assignee[] {
  const wished = new Set(reviews.flatMap(({ wishes }) => wishes));
  return assignees.map((one) => ({
    ...one,
    knows: one.knows.filter((label) => wished.has(label)),
  }));
}

/** Both values of `isOpen` are named, so that an index finds the rows by reviewer and time. */
const isAssignedToday = and(
  eq(reviewAssignments.reviewerId, reviewers.id),
  sql`${reviewAssignments.isOpen} = any('{true,false}')`,
  sql`${reviewAssignments.assignedAt} >= ${sql.placeholder("today")}`,
);

const assigneesQuery = createPreparedQuery((db) =>
  db
    .select({
      id: reviewers.id,
      fullName: reviewers.fullName,
      openAssignments: countColumn(
        db,
        reviewAssignments,
        and(eq(reviewAssignments.reviewerId, reviewers.id), isNull(reviewAssignments.completedAt)),
      ),
      assignedToday: countColumn(db, reviewAssignments, isAssignedToday),
      awayUntil: reviewerAvailability.awayUntil,
      reviewsADay: reviewerAvailability.reviewsADay,
      knownFields: reviewerProfiles.knownFields,
      languages: reviewerProfiles.languages,
    })
    .from(reviewers)
    .innerJoin(users, eq(users.id, reviewers.id))
    .leftJoin(reviewerAvailability, eq(reviewerAvailability.userId, reviewers.id))
    .leftJoin(reviewerProfiles, eq(reviewerProfiles.userId, reviewers.id))
    .where(and(eq(reviewers.role, "reviewer"), isNotBanned(sql.placeholder("moment"))))
    .orderBy(sql`${reviewers.fullName} collate "und-x-icu"`, reviewers.id)
    .prepare("assignees"),
);

/** Lists people with open assignments by name, including those who lost the role or are banned. */
export async function listHolders(
  db: Database,
  actor: Actor | null,
): Promise<{ id: string; name: string }[]> {
  authorize(actor, "review.oversee");
  const rows = await holdersQuery(db).execute();
  return rows.map(({ id, fullName }) => ({ id, name: fullName?.trim() || "Unknown" }));
}

const holdersQuery = createPreparedQuery((db) =>
  db
    .select({ id: users.id, fullName: profiles.fullName })
    .from(users)
    .leftJoin(profiles, eq(profiles.id, users.id))
    .where(sql`${users.id} in ${holders}`)
    .orderBy(sql`${profiles.fullName} collate "und-x-icu"`, users.id)
    .prepare("holders"),
);

/** Jumps from one holder to the next along the index: there are few holders with many rows. */
const holders = sql`(
  with recursive holders as (
    (select reviewer_id from review_assignments where completed_at is null order by reviewer_id limit 1)
    union all
    select (
      select reviewer_id from review_assignments
      where completed_at is null and reviewer_id > holders.reviewer_id order by reviewer_id limit 1
    ) from holders where reviewer_id is not null
  )
  select reviewer_id from holders where reviewer_id is not null
)`;
