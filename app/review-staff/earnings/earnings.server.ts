import { eq, sql } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import type { Database } from "../../platform/database.server.ts";
import { formatFinancialYear, type Month } from "../../platform/months.ts";
import type { ServiceType } from "../../reviews/rules.ts";
import { buildMonths, type EarnedMonth, type MonthSum } from "./fees.ts";
import { payouts } from "./tables.server.ts";

/** A reviewer's fee for a review; negative when it was taken back. */
export type FeeLine = {
  reviewId: string;
  serviceType: ServiceType;
  /** When the review was submitted, or the fee taken back. */
  at: Date;
  paise: number;
  /** Why it was taken back; null for a fee. */
  reason: string | null;
};

/** A reviewer's fees and payouts: a month with its lines, all months, and financial years. */
export type Earnings = {
  month: EarnedMonth;
  lines: FeeLine[];
  /** The months with fees or payouts, newest first. */
  months: EarnedMonth[];
  years: EarnedYear[];
};

type EarnedYear = {
  /** "2026-27" */
  year: string;
  /** The fees of its months, less those taken back. */
  feesPaise: number;
  /** The payouts from April 1 to March 31. */
  paidPaise: number;
};

/** Returns the actor's own earnings. */
export async function getOwnEarnings(
  db: Database,
  actor: Actor | null,
  month: Month,
): Promise<Earnings> {
  authorize(actor, "earnings.own");
  return getEarnings(db, actor.id, month);
}

/** Returns the earnings of a current or former reviewer. Check permission before calling it. */
export async function getEarnings(
  db: Database,
  reviewerId: string,
  month: Month,
): Promise<Earnings> {
  // One after the other, since a transaction has one connection.
  const sums = await listMonthSums(db, { reviewerId });
  const paid = await db.select().from(payouts).where(eq(payouts.reviewerId, reviewerId));
  const lines = await listFeeLines(db, reviewerId, month);
  const months = buildMonths(sums, paid, month.key);
  return {
    month: months.find(({ month: key }) => key === month.key)!,
    lines,
    months: months.filter(({ reviews, paise, payout }) => reviews || paise || payout).toReversed(),
    years: sumYears(months),
  };
}

function sumYears(months: readonly EarnedMonth[]): EarnedYear[] {
  const years = new Map<string, EarnedYear>();
  const getYear = (monthKey: string) => {
    const year = formatFinancialYear(monthKey);
    const entry = years.get(year) ?? { year, feesPaise: 0, paidPaise: 0 };
    years.set(year, entry);
    return entry;
  };
  for (const { month, paise, payout } of months) {
    if (paise) getYear(month).feesPaise += paise;
    if (payout) getYear(payout.paidOn.slice(0, 7)).paidPaise += payout.paise;
  }
  return [...years.values()].toSorted((one, other) => (one.year < other.year ? 1 : -1));
}

/**
 * Lists the sums of each reviewer and month in India, in no order. Check permission before calling it.
 *
 * @param filter one reviewer instead of all, or only times before a moment
 */
export async function listMonthSums(
  db: Database,
  filter: { reviewerId?: string; until?: Date },
): Promise<(MonthSum & { reviewerId: string })[]> {
  const isOf = filter.reviewerId ? sql`reviewer_id = ${filter.reviewerId}` : sql`true`;
  const isBefore = filter.until ? sql`at < ${filter.until.toISOString()}::timestamptz` : sql`true`;
  const { rows } = await db.execute<MonthSum & { reviewerId: string }>(sql`
    select reviewer_id as "reviewerId", to_char(at at time zone 'Asia/Kolkata', 'YYYY-MM') as month,
      sum(paise)::int as paise, (count(*) filter (where paise > 0))::int as reviews
    from (
      select reviewer_id, completed_at as at, fee_paise as paise
      from review_assignments where fee_paise is not null and ${isOf}
      union all
      select reviewer_id, fee_taken_back_at, -fee_paise
      from review_assignments where fee_taken_back_at is not null and ${isOf}
    ) as lines
    where ${isBefore}
    group by reviewer_id, month`);
  return rows;
}

type StoredLine = Omit<FeeLine, "at"> & { at: string };

/** Lists the fees of a month and those taken back in it, oldest first. */
async function listFeeLines(
  db: Database,
  reviewerId: string,
  { start, end }: Month,
): Promise<FeeLine[]> {
  const isIn = (moment: string) =>
    sql`${sql.raw(moment)} >= ${start.toISOString()}::timestamptz and ${sql.raw(moment)} < ${end.toISOString()}::timestamptz`;
  const { rows } = await db.execute<StoredLine>(sql`
    select review_id as "reviewId", service_type as "serviceType", completed_at as at, fee_paise as paise,
      null as reason
    from review_assignments
    where reviewer_id = ${reviewerId} and fee_paise is not null and ${isIn("completed_at")}
    union all
    select review_id, service_type, fee_taken_back_at, -fee_paise, fee_taken_back_reason
    from review_assignments
    where reviewer_id = ${reviewerId} and fee_taken_back_at is not null and ${isIn("fee_taken_back_at")}
    order by at, "reviewId", paise desc`);
  return rows.map((line) => ({ ...line, at: new Date(line.at) }));
}
