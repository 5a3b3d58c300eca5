import { and, asc, eq, inArray, isNull, sql } from "drizzle-orm";
import { isOpen } from "../../jobs/find.server.ts";
import { recordCheck } from "../../jobs/job-checks.server.ts";
import { jobs } from "../../jobs/tables.server.ts";
import { recordAuditEvents } from "../../platform/audit.server.ts";
import { now } from "../../platform/clock.ts";
import type { Database } from "../../platform/database.server.ts";
import { jobSources, jobSubmissions } from "../tables.server.ts";
import type { Run } from "./import-run.server.ts";

/**
 * Marks the jobs that a complete file lacks. One that is missing for the second time leaves the board, and the queue if
 * nobody changed it there. A job that couldn't be imported isn't missing.
 */
export async function closeMissingJobs(tx: Database, run: Run): Promise<void> {
  const { file, company, options, report } = run;
  const unknown = file.refused.find(({ externalId }) => externalId === null);
  if (unknown) {
    const remark = "This job has no id that can be read, so no job counts as missing.";
    report.remarks.push({ line: unknown.line, remark });
    return;
  }
  const boards = [...new Set(file.rows.map(({ board }) => board ?? company.id))];
  if (boards.length === 0) return;
  const ids = [...file.rows, ...file.refused].map(({ externalId }) => externalId);
  const missing = await tx
    .select({
      id: jobSources.id,
      missingSince: jobSources.missingSince,
      submission: {
        id: jobSubmissions.id,
        state: jobSubmissions.state,
        submittedBy: jobSubmissions.submittedBy,
      },
      openJobId: jobs.id,
    })
    .from(jobSources)
    .leftJoin(jobSubmissions, eq(jobSubmissions.id, jobSources.submissionId))
    .leftJoin(
      jobs,
      and(sql`${jobs.id} = coalesce(${jobSubmissions.jobId}, ${jobSources.jobId})`, isOpen),
    )
    .where(
      and(
        eq(jobSources.companyId, company.id),
        eq(jobSources.provider, options.provider),
        inArray(jobSources.board, boards),
        sql`${jobSources.externalId} <> all(${sql.param(ids)}::text[])`,
      ),
    )
    .orderBy(asc(jobs.id));
  const first = missing.filter(({ missingSince }) => !missingSince).map(({ id }) => id);
  if (first.length > 0)
    await tx
      .update(jobSources)
      .set({ missingSince: now() })
      .where(and(inArray(jobSources.id, first), isNull(jobSources.missingSince)));
  report.counts.missing += first.length;
  for (const { missingSince, submission, openJobId } of missing) {
    if (!missingSince) continue;
    const isUntouched =
      submission !== null &&
      submission.submittedBy === null &&
      (submission.state === "waiting" || submission.state === "returned");
    // The listing is locked first, as by its deletion.
    const isClosed = openJobId !== null && (await closeJob(tx, openJobId, run));
    if (isUntouched) await deleteWaitingText(tx, submission.id);
    if (isUntouched || isClosed) report.counts.closed += 1;
  }
}

async function deleteWaitingText(tx: Database, id: string): Promise<void> {
  await tx
    .update(jobSubmissions)
    .set({
      state: "discarded",
      fields: {},
      version: sql`${jobSubmissions.version} + 1`,
      updatedAt: now(),
    })
    .where(eq(jobSubmissions.id, id));
}

async function closeJob(tx: Database, jobId: string, { settings }: Run): Promise<boolean> {
  const check = { kind: "feed", result: "closed", actorId: null } as const;
  if (!(await recordCheck(tx, jobId, check, settings))) return false;
  await recordAuditEvents(tx, [
    {
      actor: "operator",
      event: "job.check",
      subject: { type: "job", id: jobId },
      after: { result: "closed" },
    },
  ]);
  return true;
}
