import { eq, sql } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import type { PurchaseFact } from "../../payments/payments.server.ts";
import { orders } from "../../payments/tables.server.ts";
import { day, dayStart, now } from "../../platform/clock.ts";
import type { Database } from "../../platform/database.server.ts";
import { readEachMinute } from "../../platform/each-minute.server.ts";
import type { Key } from "../../platform/list.server.ts";
import { figuresFor } from "../rating/rules.ts";
import { dueOrNever, reviewAssignments, serviceReviews } from "../tables.server.ts";
import { leastForFigures, type ServiceFigures, shownDue, shownDueAt } from "./due-dates.ts";
import { dayOf } from "./local-time.ts";

/** The columns that `shownDue` makes words of, but for the status. */
export const dueColumns = {
  dueAt: serviceReviews.dueAt,
  extendedTo: serviceReviews.extendedTo,
  withdrawnAt: serviceReviews.withdrawnAt,
};

const never = new Date("9999-12-31T00:00:00Z");

/** What a list of reviews by due date is ordered by, as their index has it. */
export const reviewsByDue: Key<{ dueAt: Date | null; extendedTo: Date | null }> = {
  by: dueOrNever(sql`coalesce(${serviceReviews.extendedTo}, ${serviceReviews.dueAt})`),
  type: "timestamptz",
  of: (row) => shownDueAt(row) ?? never,
};

/** The same for lists of assignments. */
export const assignmentsByDue: Key<{ shownDueAt: Date | null }> = {
  by: dueOrNever(reviewAssignments.shownDueAt),
  type: "timestamptz",
  of: (row) => row.shownDueAt ?? never,
};

/** Tells a buyer whose payment has just succeeded when the review is due; nothing of one that has no date. */
export async function describePaidReview(db: Database, orderId: string): Promise<PurchaseFact[]> {
  const [review] = await db
    .select({ status: serviceReviews.status, ...dueColumns })
    .from(serviceReviews)
    .where(eq(serviceReviews.orderId, orderId));
  const due = review && shownDue(review, now());
  return due ? [{ name: "Your review", words: `${due.due}, ${due.left}` }] : [];
}

/** How many of the reviews that wait, and of those that somebody has, are overdue or due later today. */
export type DueCounts = Record<"overdue" | "today", { pending: number; assigned: number }>;

/**
 * Counts what is overdue, and what is due in the rest of the day, by the dates that are shown: no review counts
 * twice.
 */
export async function countDue(db: Database, actor: Actor | null): Promise<DueCounts> {
  authorize(actor, "review.oversee");
  const moment = now();
  const midnight = new Date(dayStart(dayOf(moment)).getTime() + day);
  const isOverdue = sql`${reviewsByDue.by} < ${moment.toISOString()}::timestamptz`;
  const { status, withdrawnAt } = serviceReviews;
  // In the words of the index by due date, which the planner knows again.
  const { rows } = await db.execute<{ status: string; overdue: number; today: number }>(sql`
    select ${status}, (count(*) filter (where ${isOverdue}))::integer as overdue,
      (count(*) filter (where not ${isOverdue}))::integer as today
    from ${serviceReviews}
    where ${status} <> 'completed' and ${status} in ('pending', 'under_review')
      and ${reviewsByDue.by} < ${midnight.toISOString()}::timestamptz and ${withdrawnAt} is null
    group by ${status}`);
  const [pending, assigned] = ["pending", "under_review"].map((one) =>
    rows.find((row) => row.status === one),
  );
  return {
    overdue: { pending: pending?.overdue ?? 0, assigned: assigned?.overdue ?? 0 },
    today: { pending: pending?.today ?? 0, assigned: assigned?.today ?? 0 },
  };
}

/**
 * Reads how fast reviews came back that were completed in the last 90 days: those that were promised for a
 * moment and whose money was not given back. On time is by the first date, whatever was set later.
 */
export async function readServiceFigures(db: Database): Promise<ServiceFigures> {
  const since = new Date(now().getTime() - figuresFor);
  const { completedAt, reviewId, reviewStatus } = reviewAssignments;
  const { dueAt, id, orderId, withdrawnAt } = serviceReviews;
  const { rows } = await db.execute<ServiceFigures>(sql`
    select count(*)::integer as completed,
      (count(*) filter (where ${completedAt} <= ${dueAt}))::integer as "onTime",
      percentile_cont(0.5) within group (
        order by date_part('epoch', ${completedAt} - ${orders.settledAt}) / 3600
      ) as "medianHours"
    from ${reviewAssignments}
    join ${serviceReviews} on ${id} = ${reviewId}
    join ${orders} on ${orders.orderId} = ${orderId}
    where ${completedAt} > ${since.toISOString()}::timestamptz
      and ${completedAt} is not null and ${reviewStatus} = 'completed'
      and ${dueAt} is not null and ${withdrawnAt} is null`);
  return rows[0]!;
}

/** The figures for everybody to read, counted each minute; null while they stand for too few reviews. */
export async function publishedServiceFigures(db: Database): Promise<ServiceFigures | null> {
  const figures = await readEachMinute(db, "service figures", () => readServiceFigures(db));
  return figures.completed >= leastForFigures ? figures : null;
}
