import { and, asc, eq, not, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import type { PurchaseFact } from "../../payments/payments.server.ts";
import { day, getDayStart, now, toIsoDay } from "../../platform/clock.ts";
import { type Database, readSparingly } from "../../platform/database.server.ts";
import { countUpTo, type Key } from "../../platform/lists/list.server.ts";
import type { Count } from "../../platform/lists/lists.ts";
import { figuresFor } from "../rules.ts";
import { listStations } from "./stations.ts";
import {
  buildDueSortKey,
  reviewAssignments,
  reviewDays,
  serviceReviews,
} from "../tables.server.ts";
import {
  minCasesForFigures,
  type ServiceFigures,
  toDueView,
  getEffectiveDueAt,
} from "./due-dates.ts";

/** The columns for `toDueView`, except the status. */
export const dueColumns = {
  dueAt: serviceReviews.dueAt,
  extendedTo: serviceReviews.extendedTo,
  withdrawnAt: serviceReviews.withdrawnAt,
};

const never = new Date("9999-12-31T00:00:00Z");

/** The sort key of review lists by due date, as in their index. */
export const reviewsByDue: Key<{ dueAt: Date | null; extendedTo: Date | null }> = {
  by: buildDueSortKey(sql`coalesce(${serviceReviews.extendedTo}, ${serviceReviews.dueAt})`),
  type: "timestamptz",
  of: (row) => getEffectiveDueAt(row) ?? never,
};

/** The sort key of assignment lists by due date. */
export const assignmentsByDue: Key<{ shownDueAt: Date | null }> = {
  by: buildDueSortKey(reviewAssignments.shownDueAt),
  type: "timestamptz",
  of: (row) => row.shownDueAt ?? never,
};

/** Returns the due date for the buyer's payment screen; nothing for a review without a date. */
export async function describePaidReview(db: Database, orderId: string): Promise<PurchaseFact[]> {
  const [review] = await db
    .select({ status: serviceReviews.status, ...dueColumns })
    .from(serviceReviews)
    .where(eq(serviceReviews.orderId, orderId));
  const due = review && toDueView(review, now());
  if (!due) return [];
  const way = listStations({ status: review.status, due });
  return [{ name: "Your review", words: `${due.due}, ${due.left}`, way }];
}

/** The numbers of pending and assigned reviews. */
export type OpenCounts = { pending: Count; assigned: Count };

/** Counts reviews that are due in the rest of the day, by their effective due date. */
export async function countReviewsDueToday(db: Database, actor: Actor | null): Promise<OpenCounts> {
  authorize(actor, "review.oversee");
  const { isToday } = buildDueConditions(reviewsByDue.by);
  const [pending, assigned] = await Promise.all([
    countOpenReviews(db, "pending", isToday),
    countOpenReviews(db, "under_review", isToday),
  ]);
  return { pending, assigned };
}

/** Counts the overdue reviews in a state, up to a thousand. */
export async function countOverdueReviews(
  db: Database,
  actor: Actor | null,
  state: OpenState,
): Promise<Count> {
  authorize(actor, "review.oversee");
  return countOpenReviews(db, state, buildDueConditions(reviewsByDue.by).isOverdue);
}

type OpenState = "pending" | "under_review";

function countOpenReviews(db: Database, state: OpenState, isDue: SQL): Promise<Count> {
  const { status, withdrawnAt } = serviceReviews;
  // The first condition must equal the index condition literally, so that the planner uses the index.
  const where = sql`${status} <> 'completed' and ${status} = ${state} and ${isDue} and ${withdrawnAt} is null`;
  return countUpTo(db, serviceReviews, where, { orderBy: [asc(reviewsByDue.by)] });
}

/** The numbers of overdue reviews, and of those due in the rest of the day. */
export type DueTally = Record<"overdue" | "today", Count>;

/** Counts assignments by their due date, each up to a thousand. `where` must limit them to open ones. */
export async function countDueAssignments(db: Database, where: SQL | undefined): Promise<DueTally> {
  const { isOverdue, isToday } = buildDueConditions(assignmentsByDue.by);
  const options = { orderBy: [asc(assignmentsByDue.by)] };
  const [overdue, today] = await Promise.all([
    countUpTo(db, reviewAssignments, and(where, isOverdue), options),
    countUpTo(db, reviewAssignments, and(where, isToday), options),
  ]);
  return { overdue, today };
}

function buildDueConditions(dueAt: SQLWrapper): { isOverdue: SQL; isToday: SQL } {
  const moment = now();
  const midnight = new Date(getDayStart(toIsoDay(moment)).getTime() + day);
  const isBefore = (date: Date) => sql`${dueAt} < ${date.toISOString()}::timestamptz`;
  const isOverdue = isBefore(moment);
  return { isOverdue, isToday: and(not(isOverdue), isBefore(midnight))! };
}

/**
 * Returns the speed of reviews completed today or on the 89 days before, in India, without dateless and refunded ones.
 * On time is measured by the first date, regardless of extensions. They are sums of `review_days`, which doesn't grow
 * with the number of reviews.
 */
export async function getServiceFigures(db: Database): Promise<ServiceFigures> {
  const before = toIsoDay(new Date(now().getTime() - figuresFor));
  const { completed, day: completedOn, hours, onTime } = reviewDays;
  const { rows } = await db.execute<ServiceFigures>(sql`
    select coalesce(sum(completed), 0)::integer as completed, coalesce(sum(on_time), 0)::integer as "onTime",
      min(hours) filter (where up_to * 2 >= total and total > 0) as "medianHours"
    from (
      select ${hours}, sum(${completed}) as completed, sum(${onTime}) as on_time,
        sum(sum(${completed})) over (order by ${hours}) as up_to, sum(sum(${completed})) over () as total
      from ${reviewDays} where ${completedOn} > ${before}::date group by ${hours}
    ) as by_hours`);
  return rows[0]!;
}

/** The same figures, at most a minute old. */
export function getRecentServiceFigures(db: Database): Promise<ServiceFigures> {
  return readSparingly(db, "service figures", () => getServiceFigures(db));
}

/** Returns the public figures; null while they cover too few reviews. */
export async function findPublishedServiceFigures(db: Database): Promise<ServiceFigures | null> {
  const figures = await getRecentServiceFigures(db);
  return figures.completed >= minCasesForFigures ? figures : null;
}
