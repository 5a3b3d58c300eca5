import { and, eq } from "drizzle-orm";
import { reportsVersion } from "../../../app/checks/decide/close-reports.server.ts";
import { isCounted } from "../../../app/checks/report/alert.server.tsx";
import { jobReports } from "../../../app/checks/tables.server.ts";
import { now } from "../../../app/platform/clock.ts";
import type { Database } from "../../../app/platform/database.server.ts";

/** Creates an open, confirmed report on a listing. @returns its id */
export async function jobReport(
  db: Database,
  jobId: string,
  fields: Partial<typeof jobReports.$inferInsert>,
): Promise<string> {
  const createdAt = fields.createdAt ?? now();
  const [report] = await db
    .insert(jobReports)
    .values({
      jobId,
      reason: "fake",
      network: "hash",
      createdAt,
      confirmedAt: createdAt,
      ...fields,
    })
    .returning({ id: jobReports.id });
  return report!.id;
}

/** Returns the version of a listing's open reports, as its form has it. */
export async function seenReports(db: Database, jobId: string): Promise<string> {
  const [row] = await db
    .select({ version: reportsVersion })
    .from(jobReports)
    .where(and(eq(jobReports.jobId, jobId), isCounted));
  return row?.version ?? "";
}
