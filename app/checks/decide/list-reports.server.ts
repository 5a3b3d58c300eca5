import { and, asc, eq, inArray, isNotNull, sql } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import { profiles } from "../../accounts/tables.server.ts";
import { isOpen } from "../../jobs/find.server.ts";
import { jobs } from "../../jobs/tables.server.ts";
import type { Database } from "../../platform/database.server.ts";
import { type Order, readPageOrLast } from "../../platform/lists/list.server.ts";
import { isCounted } from "../report/alert.server.tsx";
import type { ReportReason } from "../rules.ts";
import { jobReports } from "../tables.server.ts";
import { reportsVersion } from "./close-reports.server.ts";

const listingsPerPage = 25;
/** The number of reports shown for one listing. */
const shownReports = 20;

/** A report as admins see it. It doesn't say who sent it. */
export type ListedReport = {
  id: string;
  reason: ReportReason;
  text: string;
  /** "deleted": the reporter's account no longer exists. */
  reporter: "account" | "visitor" | "deleted";
  createdAt: Date;
};

export type ReportedJob = Awaited<ReturnType<typeof listReportedJobs>>["rows"][number];

const isOfJob = and(isCounted, isNotNull(jobReports.jobId));

/** Lists listings with open reports: those with the most reports first, then those that have waited longest. */
export async function listReportedJobs(
  db: Database,
  actor: Actor | null,
  { after }: { after: string | null },
) {
  authorize(actor, "report.decide");
  const grouped = db
    .select({
      jobId: jobReports.jobId,
      // Negative, so that both keys of the order ascend.
      place: sql<number>`-count(*)::int`.as("place"),
      oldestAt: sql<Date>`min(${jobReports.createdAt})`
        .mapWith(jobReports.createdAt)
        .as("oldest_at"),
      version: sql<string>`${reportsVersion}`.as("version"),
    })
    .from(jobReports)
    .where(isOfJob)
    .groupBy(jobReports.jobId)
    .as("reported");
  const { place, oldestAt, version } = grouped;
  const order: Order<{ place: number; oldestAt: Date; id: string }> = {
    keys: [
      { by: place, type: "integer", of: (row) => row.place },
      { by: oldestAt, type: "timestamptz", of: (row) => row.oldestAt },
      { by: jobs.id, type: "uuid", of: (row) => row.id },
    ],
    direction: "asc",
  };
  const page = await readPageOrLast(order, { cursor: after, size: listingsPerPage }, (part) =>
    db
      .select({
        id: jobs.id,
        title: jobs.title,
        company: jobs.company,
        postedBy: profiles.fullName,
        isOpen: sql<boolean>`${isOpen}`,
        isReported: sql<boolean>`${jobs.reportedAt} is not null`,
        place,
        oldestAt,
        version,
      })
      .from(grouped)
      .innerJoin(jobs, eq(jobs.id, grouped.jobId))
      .leftJoin(profiles, eq(profiles.id, jobs.createdBy))
      .where(part.where)
      .orderBy(...part.orderBy)
      .limit(part.limit),
  );
  const reports = await listOldestReports(db, page.rows);
  return {
    ...page,
    rows: page.rows.map(({ place: negative, ...row }) => ({
      ...row,
      /** The number of open reports. The list has the oldest of them. */
      total: -negative,
      reports: reports.get(row.id) ?? [],
    })),
  };
}

/** Counts the listings with open reports. */
export async function countReportedJobs(db: Database, actor: Actor | null): Promise<number> {
  authorize(actor, "report.decide");
  const [counted] = await db
    .select({ listings: sql<number>`count(distinct ${jobReports.jobId})`.mapWith(Number) })
    .from(jobReports)
    .where(isOfJob);
  return counted!.listings;
}

/** Returns the oldest open reports of each listing, by its id. */
async function listOldestReports(
  db: Database,
  listings: { id: string }[],
): Promise<Map<string, ListedReport[]>> {
  if (listings.length === 0) return new Map();
  const ids = listings.map(({ id }) => id);
  const numbered = db
    .select({
      id: jobReports.id,
      jobId: jobReports.jobId,
      reason: jobReports.reason,
      text: jobReports.text,
      reporter: sql<ListedReport["reporter"]>`case when ${jobReports.reporterId} is not null
        then 'account' when ${jobReports.email} is not null then 'visitor' else 'deleted' end`.as(
        "reporter",
      ),
      createdAt: jobReports.createdAt,
      number: sql<number>`row_number() over (partition by ${jobReports.jobId}
        order by ${jobReports.createdAt}, ${jobReports.id})`.as("number"),
    })
    .from(jobReports)
    .where(and(isCounted, inArray(jobReports.jobId, ids)))
    .as("numbered");
  const rows = await db
    .select()
    .from(numbered)
    .where(sql`${numbered.number} <= ${shownReports}`)
    .orderBy(asc(numbered.createdAt), asc(numbered.id));
  return Map.groupBy(rows, ({ jobId }) => jobId!);
}
