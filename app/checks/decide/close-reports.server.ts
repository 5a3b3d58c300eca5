import { randomUUID } from "node:crypto";
import { and, eq, sql } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import { archiveJob } from "../../jobs/manage/job-commands.server.ts";
import { jobs } from "../../jobs/tables.server.ts";
import { recordAuditEvents } from "../../platform/audit.server.ts";
import { now } from "../../platform/clock.ts";
import { type Database, isUuid } from "../../platform/database.server.ts";
import { Conflict, NotFound } from "../../platform/errors.ts";
import { isCounted } from "../report/alert.server.tsx";
import { jobReports } from "../tables.server.ts";

export type Decision = {
  jobId: string;
  reason: string;
  /** The version of the open reports that the admin saw. */
  seen: string;
};

const alreadyDecided = "Another admin has already decided about these reports.";
const changedReports = "A report is new or has changed. Read it, then decide again.";

/**
 * Archives a listing and closes its open reports. Its owner can't publish it again.
 *
 * @throws {NotFound} for a listing that doesn't exist
 * @throws {Conflict} if the reports were closed or have changed
 */
export async function archiveReportedJob(
  db: Database,
  actor: Actor | null,
  decision: Decision,
): Promise<void> {
  authorize(actor, "report.decide");
  await db.transaction(async (tx) => {
    await closeOpenReports(tx, actor, decision, "archived");
    await archiveJob(tx, actor, decision.jobId);
    await tx
      .update(jobs)
      .set({ reportedAt: null, archivedReason: "reported" })
      .where(eq(jobs.id, decision.jobId));
  });
}

/**
 * Dismisses the open reports of a listing, which stays as it is.
 *
 * @throws {NotFound} for a listing that doesn't exist
 * @throws {Conflict} if the reports were closed or have changed
 */
export async function closeReports(
  db: Database,
  actor: Actor | null,
  decision: Decision,
): Promise<void> {
  authorize(actor, "report.decide");
  await db.transaction(async (tx) => {
    await closeOpenReports(tx, actor, decision, "dismissed");
    await tx.update(jobs).set({ reportedAt: null }).where(eq(jobs.id, decision.jobId));
  });
}

async function closeOpenReports(
  tx: Database,
  actor: Actor,
  { jobId, reason, seen }: Decision,
  state: "archived" | "dismissed",
): Promise<void> {
  await lockReportedJob(tx, jobId);
  const ofJob = and(eq(jobReports.jobId, jobId), isCounted);
  const [current] = await tx.select({ version: reportsVersion }).from(jobReports).where(ofJob);
  if (current?.version && current.version !== seen) throw new Conflict(changedReports);
  const closed = await tx
    .update(jobReports)
    .set({
      state,
      decisionId: randomUUID(),
      decisionReason: reason,
      decidedBy: actor.id,
      decidedAt: now(),
    })
    .where(ofJob)
    .returning({ id: jobReports.id });
  if (closed.length === 0) throw new Conflict(alreadyDecided);
  await recordAuditEvents(tx, [
    {
      actor,
      event: state === "archived" ? "report.archive" : "report.dismiss",
      subject: { type: "job", id: jobId },
      after: { reports: closed.length, reason },
    },
  ]);
}

async function lockReportedJob(tx: Database, jobId: string): Promise<void> {
  const [job] = isUuid(jobId)
    ? await tx.select({ id: jobs.id }).from(jobs).where(eq(jobs.id, jobId)).for("no key update")
    : [];
  if (!job) throw new NotFound("Job listing not found");
}

/** The version of a group of reports, which changes with each new or changed one; null for none. */
export const reportsVersion = sql<string | null>`md5(string_agg(
  ${jobReports.id}::text || ${jobReports.reason} || ${jobReports.text}, ',' order by ${jobReports.id}))`;
