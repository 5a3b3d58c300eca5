import { and, eq, gte, inArray, isNull, type SQL, sql } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import type { Actor } from "../accounts/actor.server.ts";
import { authorize } from "../accounts/permissions.server.ts";
import { profiles } from "../accounts/tables.server.ts";
import { isOpen } from "../jobs/find.server.ts";
import { jobs } from "../jobs/tables.server.ts";
import { orders } from "../payments/tables.server.ts";
import { day, getDayStart, timeZone, toIsoDay } from "../platform/clock.ts";
import type { Database } from "../platform/database.server.ts";
import { serviceReviews } from "../reviews/tables.server.ts";

/** The number of days in a trend, including today. */
export const trendDays = 30;

/**
 * Counts new users, submitted reviews, posted jobs that are still open, and payments by day.
 *
 * @returns for each of them the last 30 days in India, oldest first. Revenue is in paise, before refunds.
 */
export async function countByDay(db: Database, actor: Actor | null, moment: Date) {
  authorize(actor, "product.oversee");
  const days = Array.from({ length: trendDays }, (_, index) =>
    toIsoDay(new Date(moment.getTime() - (trendDays - 1 - index) * day)),
  );
  const since = getDayStart(days[0]!);
  const read = async (
    table: PgTable,
    at: PgColumn,
    where?: SQL,
    value: SQL = sql`count(*)`,
  ): Promise<number[]> => {
    const localDay = sql<string>`to_char(${at} at time zone ${sql.raw(`'${timeZone}'`)}, 'YYYY-MM-DD')`;
    const rows = await db
      .select({ day: localDay, value: sql`${value}`.mapWith(Number) })
      .from(table)
      .where(and(gte(at, since), where))
      .groupBy(sql`1`);
    const byDay = new Map(rows.map((row) => [row.day, row.value]));
    return days.map((one) => byDay.get(one) ?? 0);
  };
  // All statuses are named, because the index on the date starts with the status.
  const isKept = and(
    inArray(serviceReviews.status, ["pending", "under_review", "completed"]),
    isNull(serviceReviews.withdrawnAt),
  );
  const total = sql`coalesce(sum(${orders.amountPaise}), 0)`;
  const [users, reviews, posted, revenue] = await Promise.all([
    read(profiles, profiles.createdAt),
    read(serviceReviews, serviceReviews.createdAt, isKept),
    read(jobs, jobs.postedAt, isOpen),
    read(orders, orders.createdAt, eq(orders.status, "success"), total),
  ]);
  return { users, reviews, jobs: posted, revenue };
}
