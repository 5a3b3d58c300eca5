import { randomUUID } from "node:crypto";
import { and, eq, inArray, sql } from "drizzle-orm";
import { findCompanyJob, getBaseVersion } from "../../jobs/manage/company-changes.server.ts";
import { toWrittenFields } from "../../jobs/manage/job-commands.server.ts";
import { toJobValues } from "../../jobs/manage/job-fields.server.ts";
import { now } from "../../platform/clock.ts";
import type { Database } from "../../platform/database.server.ts";
import { toTypedFields } from "../listing-form.server.ts";
import { type DraftFields, unpublishedStates } from "../rules.ts";
import { jobSubmissions } from "../tables.server.ts";
import type { KnownJob } from "./known-jobs.server.ts";

/**
 * Sends the changed text of a job to the admins. A text that still waits is replaced. For a published listing, the text
 * waits as a change, which keeps the fields that the row doesn't state as staff and members wrote them.
 *
 * @returns what happened, and the columns of its source
 */
export async function sendChangedText(
  tx: Database,
  {
    companyId,
    match,
    fields,
  }: { companyId: string; match: KnownJob; fields: Partial<DraftFields> },
) {
  const { submission, job } = match;
  const isUndecided = submission && unpublishedStates.includes(submission.state);
  if (isUndecided && submission.baseVersion === null) {
    await replaceText(tx, submission, { fields });
    return { count: "changed" as const, columns: {} };
  }
  const stored = await findCompanyJob(tx, job?.id ?? null);
  if (!stored) return { count: "kept" as const, columns: {} };
  const before = toTypedFields(toJobValues(toWrittenFields(stored)));
  const after = { ...before, ...fields };
  const change = { fields: after, baseVersion: getBaseVersion(stored) };
  if (isUndecided) {
    await replaceText(tx, submission, change);
    return { count: "changed" as const, columns: {} };
  }
  if (hasSameTexts(before, after)) return { count: "unchanged" as const, columns: {} };
  if (await hasOpenChange(tx, stored.id)) return { count: "kept" as const, columns: {} };
  const [id, at] = [randomUUID(), now()];
  const moments = { createdAt: at, updatedAt: at, sentAt: at };
  await tx.insert(jobSubmissions).values({
    id,
    companyId,
    jobId: stored.id,
    ...change,
    ...moments,
    source: "import",
    state: "waiting",
  });
  return { count: "changed" as const, columns: { submissionId: id } };
}

type Undecided = NonNullable<KnownJob["submission"]>;

/** Replaces a text that waits or was returned. It keeps its place in the queue. */
async function replaceText(
  tx: Database,
  { id, state, sentAt }: Undecided,
  text: { fields: Partial<DraftFields>; baseVersion?: string },
): Promise<void> {
  const at = now();
  await tx
    .update(jobSubmissions)
    .set({
      ...text,
      version: sql`${jobSubmissions.version} + 1`,
      state: "waiting",
      reason: null,
      sentAt: state === "waiting" ? sentAt : at,
      updatedAt: at,
    })
    .where(eq(jobSubmissions.id, id));
}

function hasSameTexts(one: Partial<DraftFields>, other: Partial<DraftFields>): boolean {
  return Object.entries(other).every(([name, text]) => one[name as keyof DraftFields] === text);
}

/** A listing has one change that isn't decided yet. */
async function hasOpenChange(tx: Database, jobId: string): Promise<boolean> {
  const [open] = await tx
    .select({ id: jobSubmissions.id })
    .from(jobSubmissions)
    .where(
      and(eq(jobSubmissions.jobId, jobId), inArray(jobSubmissions.state, [...unpublishedStates])),
    )
    .limit(1);
  return open !== undefined;
}
