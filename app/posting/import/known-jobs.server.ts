import { and, eq, inArray, or, type SQL, sql } from "drizzle-orm";
import { describeArchived, getLapseReason } from "../../jobs/check-rules.ts";
import { isOpen } from "../../jobs/find.server.ts";
import { jobs } from "../../jobs/tables.server.ts";
import type { Database } from "../../platform/database.server.ts";
import { unpublishedStates } from "../rules.ts";
import { jobSources, jobSubmissions } from "../tables.server.ts";
import type { Run } from "./import-run.server.ts";
import type { SourceRow } from "./source-rows.server.ts";

export const messages = {
  changedHere:
    "A member of the company is changing its listing here, so the file's text was left out.",
} as const;

const job = {
  id: jobs.id,
  isOpen: sql<boolean>`${isOpen}`,
  isArchived: jobs.isArchived,
  archivedReason: jobs.archivedReason,
  checkedAt: jobs.checkedAt,
  checkDueAt: jobs.checkDueAt,
  closesOn: jobs.closesOn,
  liveUntil: jobs.liveUntil,
};

const submission = {
  id: jobSubmissions.id,
  jobId: jobSubmissions.jobId,
  baseVersion: jobSubmissions.baseVersion,
  state: jobSubmissions.state,
  submittedBy: jobSubmissions.submittedBy,
  sentAt: jobSubmissions.sentAt,
};

/** A job that is here already: its source, the listing that was last sent from it, and its published listing. */
export type KnownJob = {
  companyId: string;
  /** The hash of the row that was last sent; null if another source or a person made the listing. */
  hash: string | null;
  submission: Pick<typeof jobSubmissions.$inferSelect, keyof typeof submission> | null;
  /** A listing that was on the board before. */
  jobId: string | null;
  job:
    | (Pick<typeof jobs.$inferSelect, Exclude<keyof typeof job, "isOpen">> & { isOpen: boolean })
    | null;
};

/** Finds the jobs of rows by their id at the source, and otherwise by the page where people apply. */
export async function findKnownJobs(
  tx: Database,
  run: Run,
  rows: readonly SourceRow[],
): Promise<Map<SourceRow, KnownJob>> {
  const { company, options } = run;
  const isKey = rows.map(({ board, externalId }) => ({ board: board ?? company.id, externalId }));
  const sources = await selectSources(
    tx,
    and(
      eq(jobSources.provider, options.provider),
      inArray(jobSources.board, [...new Set(isKey.map(({ board }) => board))]),
      inArray(
        jobSources.externalId,
        isKey.map(({ externalId }) => externalId),
      ),
    ),
  );
  const byKey = new Map(sources.map((source) => [`${source.board} ${source.externalId}`, source]));
  const matches = new Map<SourceRow, KnownJob>();
  for (const row of rows) {
    const source = byKey.get(`${row.board ?? company.id} ${row.externalId}`);
    if (source) matches.set(row, source);
  }
  const others = rows.filter((row) => !matches.has(row));
  const byPage = await findByPage(tx, run, others);
  for (const row of others) {
    const match = byPage.get(getPage(row));
    if (match) matches.set(row, { ...match, hash: null });
  }
  return matches;
}

function getPage({ fields }: SourceRow): string {
  return fields.portalApplicationLink ?? "";
}

/**
 * Finds listings of the company by the page where people apply. A page that several jobs of the file have says nothing,
 * nor does one of a job that the file has under another id.
 */
async function findByPage(
  tx: Database,
  { company, file }: Run,
  rows: readonly SourceRow[],
): Promise<Map<string, KnownJob>> {
  const counts = Map.groupBy(file.rows, getPage);
  const pages = rows.map(getPage).filter((page) => page !== "" && counts.get(page)!.length === 1);
  if (pages.length === 0) return new Map();
  const page = sql<string>`${jobSubmissions.fields} ->> 'portalApplicationLink'`;
  const published = await tx
    .select({ page: jobs.portalApplicationLink, job })
    .from(jobs)
    .where(and(eq(jobs.companyId, company.id), inArray(jobs.portalApplicationLink, pages)))
    .orderBy(sql`${isOpen}`, jobs.postedAt);
  const undecided = await tx
    .select({ page, submission })
    .from(jobSubmissions)
    .where(
      and(
        eq(jobSubmissions.companyId, company.id),
        inArray(jobSubmissions.state, [...unpublishedStates]),
        inArray(page, pages),
      ),
    );
  const none = { companyId: company.id, hash: null, submission: null, jobId: null, job: null };
  return new Map<string, KnownJob>([
    ...undecided.map(({ submission, page }) => [page, { ...none, submission }] as const),
    ...published.map(({ job, page }) => [page!, { ...none, jobId: job.id, job }] as const),
  ]);
}

function selectSources(tx: Database, condition: SQL | undefined) {
  return tx
    .select({
      companyId: jobSources.companyId,
      board: jobSources.board,
      externalId: jobSources.externalId,
      hash: jobSources.hash,
      submission,
      jobId: jobSources.jobId,
      job,
    })
    .from(jobSources)
    .leftJoin(jobSubmissions, eq(jobSubmissions.id, jobSources.submissionId))
    .leftJoin(jobs, or(eq(jobs.id, jobSubmissions.jobId), eq(jobs.id, jobSources.jobId)))
    .where(condition);
}

/**
 * Decides about a job that is here already.
 *
 * @returns "create" for a new listing, "send" for a change that waits, "unchanged", or why its text was left out
 */
export function findAction(
  { hash: before, submission, job }: KnownJob,
  hash: string,
): "create" | "send" | "unchanged" | (string & {}) {
  const isUndecided = submission && unpublishedStates.includes(submission.state);
  const reason = job && !job.isOpen && (job.isArchived ? job.archivedReason : getLapseReason(job));
  // A job that left the file or that nobody checked is there again.
  if (!isUndecided && (reason === "gone" || reason === "unanswered")) return "create";
  if (before === hash || before === null) return "unchanged";
  if (isUndecided) {
    const isByHand = submission.state === "draft" || submission.submittedBy !== null;
    return isByHand ? messages.changedHere : "send";
  }
  if (!job) return "create";
  return job.isOpen
    ? "send"
    : `Its listing is closed here (${describeArchived(job) ?? "archived by hand"}).`;
}
