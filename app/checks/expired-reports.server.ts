import { and, eq, isNotNull, isNull, lt, or } from "drizzle-orm";
import { now } from "../platform/clock.ts";
import { type Database, deleteRowsInSteps } from "../platform/database.server.ts";
import { confirmWithin, reporterRetention } from "./rules.ts";
import { jobReports } from "./tables.server.ts";

/**
 * Deletes reports that were not confirmed in time, and open reports on deleted listings. Deletes the reporter and the
 * text of reports that were decided 180 days ago. The reason and the decision stay, for the public figures.
 *
 * @returns the number of deleted or changed reports
 */
export async function deleteExpiredReports(db: Database): Promise<number> {
  const before = (age: number) => new Date(now().getTime() - age);
  const isExpired = or(
    and(isNull(jobReports.confirmedAt), lt(jobReports.createdAt, before(confirmWithin))),
    and(eq(jobReports.state, "open"), isNull(jobReports.jobId)),
  );
  const deleted = await deleteRowsInSteps(db, jobReports, jobReports.id, isExpired);
  const { rowCount } = await db
    .update(jobReports)
    .set({ reporterId: null, email: null, network: null, text: "" })
    // Every report has a network until this deletes it.
    .where(and(lt(jobReports.decidedAt, before(reporterRetention)), isNotNull(jobReports.network)));
  return deleted + (rowCount ?? 0);
}
