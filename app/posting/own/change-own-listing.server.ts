import { and, eq, inArray } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import { lockOwnCompany } from "../../companies/own-companies.server.ts";
import { type CheckResult } from "../../jobs/check-rules.ts";
import { recordCheck } from "../../jobs/job-checks.server.ts";
import {
  type CompanyJob,
  findCompanyJob,
  getBaseVersion,
  lockCompanyJob,
} from "../../jobs/manage/company-changes.server.ts";
import { closeJobEarlier, toWrittenFields } from "../../jobs/manage/job-commands.server.ts";
import { toJobValues } from "../../jobs/manage/job-fields.server.ts";
import { recordAuditEvents } from "../../platform/audit.server.ts";
import { now } from "../../platform/clock.ts";
import type { CheckSettings } from "../../platform/config.server.ts";
import type { Database } from "../../platform/database.server.ts";
import { Conflict } from "../../platform/errors.ts";
import { toTypedFields } from "../listing-form.server.ts";
import { messages, unpublishedStates } from "../rules.ts";
import { jobSubmissions } from "../tables.server.ts";
import { requireRoomForDraft, updateSubmission } from "./change-submission.server.ts";
import { getOwnSubmission } from "./own-submissions.server.ts";

/**
 * Starts a change of a published listing, with its present text. The text stays public until an admin publishes the
 * change. A listing has one change: if it has been started, also by another member, that one goes on.
 *
 * @param id of the published submission
 * @returns the id of the change
 * @throws {NotFound} for another company's listing
 * @throws {Conflict} for a listing that isn't on the board, and for a company with too many drafts
 */
export async function createChange(db: Database, actor: Actor | null, id: string): Promise<string> {
  authorize(actor, "job.post");
  return db.transaction(async (tx) => {
    const { companyId } = await getOwnSubmission(tx, actor, id);
    await lockOwnCompany(tx, actor, companyId);
    // After the lock, since an admin may have taken the listing away from the company.
    const { jobId, state } = await getOwnSubmission(tx, actor, id);
    const job = state === "live" ? await findCompanyJob(tx, jobId) : null;
    if (!job) throw new Conflict(messages.notOnBoard);
    const [present] = await selectChange(tx, job.id);
    if (present) return present.id;
    if (!job.isOpen) throw new Conflict(messages.notOnBoard);
    await requireRoomForDraft(tx, companyId);
    const at = now();
    const [started] = await tx
      .insert(jobSubmissions)
      .values({
        companyId,
        jobId: job.id,
        baseVersion: getBaseVersion(job),
        submittedBy: actor.id,
        fields: toTypedFields(toJobValues(toWrittenFields(job))),
        createdAt: at,
        updatedAt: at,
      })
      // An import may have started one meanwhile.
      .onConflictDoNothing()
      .returning({ id: jobSubmissions.id });
    return started?.id ?? (await selectChange(tx, job.id))[0]!.id;
  });
}

function selectChange(db: Database, jobId: string) {
  return db
    .select()
    .from(jobSubmissions)
    .where(
      and(eq(jobSubmissions.jobId, jobId), inArray(jobSubmissions.state, [...unpublishedStates])),
    )
    .$dynamic();
}

/**
 * Records that a published listing is open, filled or closed. A filled or closed one leaves the board at once.
 *
 * @throws {NotFound} for another company's listing
 * @throws {Conflict} if it isn't on the board
 */
export async function checkOwnListing(
  db: Database,
  actor: Actor | null,
  { id, result }: { id: string; result: CheckResult },
  settings: CheckSettings,
): Promise<void> {
  authorize(actor, "job.post");
  await db.transaction(async (tx) => {
    const { id: jobId } = await lockOwnOpenJob(tx, actor, id);
    await recordCheck(tx, jobId, { kind: "company", result, actorId: actor.id }, settings);
    await recordAuditEvents(tx, [
      { actor, event: "job.check", subject: { type: "job", id: jobId }, after: { result } },
    ]);
  });
}

/**
 * Locks a published listing of a person's company. Its submission isn't locked, since a deletion locks the listing first.
 *
 * @param id of the submission
 * @throws {NotFound} for another company's listing
 * @throws {Conflict} if it isn't on the board
 */
async function lockOwnOpenJob(tx: Database, actor: Actor, id: string): Promise<CompanyJob> {
  const { jobId } = await getOwnSubmission(tx, actor, id);
  const job = await lockCompanyJob(tx, jobId);
  // After the lock, since an admin may have taken the listing away from the company.
  const { state } = await getOwnSubmission(tx, actor, id);
  if (state !== "live" || !job?.isOpen) throw new Conflict(messages.notOnBoard);
  return job;
}

/**
 * Sets the first or an earlier closing date of a published listing at once. A change of it that isn't decided yet keeps its
 * own date, unless it has the old one.
 *
 * @param closing.closesOn such as "2026-12-31"
 * @throws {NotFound} for another company's listing
 * @throws {Conflict} if it isn't on the board
 * @throws {Invalid} for a date in the past, too far ahead, or later than the present one
 */
export async function closeEarlier(
  db: Database,
  actor: Actor | null,
  { id, closesOn }: { id: string; closesOn: string },
  settings: CheckSettings,
): Promise<void> {
  authorize(actor, "job.post");
  await db.transaction(async (tx) => {
    const stored = await lockOwnOpenJob(tx, actor, id);
    if (stored.closesOn === closesOn) return;
    await closeJobEarlier(tx, actor, { stored, closesOn }, settings);
    const [change] = await selectChange(tx, stored.id).for("update");
    if (!change) return;
    const { fields, baseVersion } = change;
    await updateSubmission(tx, change, {
      ...(baseVersion === getBaseVersion(stored) && {
        baseVersion: getBaseVersion({ ...stored, closesOn }),
      }),
      ...((fields.closesOn ?? null) === stored.closesOn && { fields: { ...fields, closesOn } }),
    });
  });
}
