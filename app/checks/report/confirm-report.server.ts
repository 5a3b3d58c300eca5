import { and, eq, isNotNull, isNull, ne, sql } from "drizzle-orm";
import { isOpen } from "../../jobs/find.server.ts";
import { jobs } from "../../jobs/tables.server.ts";
import { hour, now } from "../../platform/clock.ts";
import type { Database } from "../../platform/database.server.ts";
import { Conflict, NotFound } from "../../platform/errors.ts";
import type { RateLimit } from "../../platform/rate-limit.server.ts";
import { parseSignedId, uuidLength } from "../../platform/signed-ids.server.ts";
import { confirmWithin, type ReportReason } from "../rules.ts";
import { jobReports } from "../tables.server.ts";
import { type ReportSettings, notifyAdminsIfReported } from "./alert.server.tsx";
import { reportLink } from "./send-report.server.tsx";
import { countNoun } from "../../platform/count-noun.ts";

export const confirmReportByClient: RateLimit = {
  name: "report-confirm-client",
  max: 40,
  windowMs: hour,
};

export const invalidReportLink = `This link isn't complete, or it's more than ${countNoun(confirmWithin / hour, "hour")} old.`;
const closedListing = "This listing is no longer public. You don't need to confirm your report.";

type MailedReport = {
  reason: ReportReason;
  text: string;
  job: { id: string; title: string; company: string };
  /** "closed": the listing isn't public any more. */
  state: "waiting" | "confirmed" | "closed";
};

/**
 * Finds the report that a mailed link leads to.
 *
 * @returns null for a link that we didn't sign, an expired one, and for a report that we no longer have
 */
export async function findMailedReport(
  db: Database,
  config: ReportSettings,
  token: string,
): Promise<MailedReport | null> {
  const id = parseReportToken(config, token);
  const [report] = id === null ? [] : await selectReport(db, id);
  if (!report || isUnconfirmedTooLong(report)) return null;
  const { reason, text, confirmedAt, isOpen: isPublic, ...job } = report;
  const state = confirmedAt ? "confirmed" : isPublic ? "waiting" : "closed";
  return { reason, text, state, job: { id: job.jobId, title: job.title, company: job.company } };
}

/**
 * Confirms a visitor's report. Their earlier report on the same listing is replaced. Confirming again changes nothing.
 *
 * @throws {NotFound} for an invalid or expired link
 * @throws {Conflict} if the listing isn't public any more
 */
export async function confirmReport(
  db: Database,
  config: ReportSettings,
  token: string,
): Promise<void> {
  const id = parseReportToken(config, token);
  const [row] = id === null ? [] : await selectReport(db, id);
  if (!row) throw new NotFound(invalidReportLink);
  await db.transaction(async (tx) => {
    await tx.select({ id: jobs.id }).from(jobs).where(eq(jobs.id, row.jobId)).for("no key update");
    const [report] = await selectReport(tx, row.id);
    if (!report || isUnconfirmedTooLong(report)) throw new NotFound(invalidReportLink);
    if (report.confirmedAt) return;
    if (!report.isOpen) throw new Conflict(closedListing);
    await tx
      .delete(jobReports)
      .where(
        and(
          eq(jobReports.jobId, report.jobId),
          eq(jobReports.email, report.email ?? ""),
          eq(jobReports.state, "open"),
          isNotNull(jobReports.confirmedAt),
          ne(jobReports.id, report.id),
        ),
      );
    await tx
      .update(jobReports)
      .set({ confirmedAt: now() })
      .where(and(eq(jobReports.id, report.id), isNull(jobReports.confirmedAt)));
    await notifyAdminsIfReported(tx, config, report.jobId);
  });
}

function parseReportToken(config: ReportSettings, token: string): string | null {
  return parseSignedId(config, reportLink, token, uuidLength);
}

function selectReport(db: Database, id: string) {
  return db
    .select({
      id: jobReports.id,
      jobId: jobs.id,
      title: jobs.title,
      company: jobs.company,
      isOpen: sql<boolean>`${isOpen}`,
      email: jobReports.email,
      reason: jobReports.reason,
      text: jobReports.text,
      createdAt: jobReports.createdAt,
      confirmedAt: jobReports.confirmedAt,
    })
    .from(jobReports)
    .innerJoin(jobs, eq(jobs.id, jobReports.jobId))
    .where(eq(jobReports.id, id));
}

function isUnconfirmedTooLong({
  createdAt,
  confirmedAt,
}: {
  createdAt: Date;
  confirmedAt: Date | null;
}) {
  return confirmedAt === null && createdAt.getTime() < now().getTime() - confirmWithin;
}
