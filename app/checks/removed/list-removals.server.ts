import { and, desc, eq, gt, isNotNull, isNull, or, sql } from "drizzle-orm";
import { jobs } from "../../jobs/tables.server.ts";
import { timeZone } from "../../platform/clock.ts";
import type { Database } from "../../platform/database.server.ts";
import { maxRemovals, type ReportReason } from "../rules.ts";
import { jobReports } from "../tables.server.ts";

/**
 * Leaves out listings that an admin published again, also if they are archived for another reason since. A deleted
 * listing still counts.
 */
const isRemoved = and(
  eq(jobReports.state, "archived"),
  isNotNull(jobReports.decisionId),
  or(isNull(jobs.id), eq(jobs.archivedReason, "reported")),
);

/** Lists the newest removals, newest first. */
export async function listRemovals(db: Database) {
  return db
    .select({
      id: sql<string>`${jobReports.decisionId}`,
      reason: sql<ReportReason>`mode() within group (order by ${jobReports.reason})`,
      at: sql<Date>`${jobReports.decidedAt}`.mapWith(jobReports.decidedAt),
    })
    .from(jobReports)
    .leftJoin(jobs, eq(jobs.id, jobReports.jobId))
    .where(isRemoved)
    .groupBy(jobReports.decisionId, jobReports.decidedAt)
    .orderBy(desc(jobReports.decidedAt), desc(jobReports.decisionId))
    .limit(maxRemovals);
}

const maxMonths = 24;

/** Counts removals by calendar month in India, newest first. Months without any are left out. */
export async function countRemovals(
  db: Database,
): Promise<{ monthStart: Date; listings: number }[]> {
  const month = sql`date_trunc('month', ${jobReports.decidedAt}, ${sql.raw(`'${timeZone}'`)})`;
  return db
    .select({
      monthStart: sql<Date>`${month}`.mapWith(jobReports.decidedAt),
      listings: sql<number>`count(distinct ${jobReports.decisionId})`.mapWith(Number),
    })
    .from(jobReports)
    .leftJoin(jobs, eq(jobs.id, jobReports.jobId))
    .where(isRemoved)
    .groupBy(month)
    .orderBy(desc(month))
    .limit(maxMonths);
}

/** Counts the decisions about reported listings since a time, and those by which a listing left the board. */
export async function countDecisions(
  db: Database,
  since: Date,
): Promise<{ decided: number; removed: number }> {
  const decisions = sql`count(distinct ${jobReports.decisionId})`;
  const [counts] = await db
    .select({
      decided: decisions.mapWith(Number),
      removed: sql`${decisions} filter (where ${isRemoved})`.mapWith(Number),
    })
    .from(jobReports)
    .leftJoin(jobs, eq(jobs.id, jobReports.jobId))
    .where(gt(jobReports.decidedAt, since));
  return counts!;
}
