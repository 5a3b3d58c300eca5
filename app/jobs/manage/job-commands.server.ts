import { createHash, randomUUID } from "node:crypto";
import { and, eq, getTableColumns, ne, sql, type SQL } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize, permissions } from "../../accounts/permissions.server.ts";
import { recordAuditEvents } from "../../platform/audit.server.ts";
import { now } from "../../platform/clock.ts";
import { type Database, isUuid } from "../../platform/database.server.ts";
import { Conflict, NotFound } from "../../platform/errors.ts";
import { type JobDetails, noDetails } from "../details.ts";
import { jobs } from "../tables.server.ts";
import { blankFields, type JobFields, type JobInput, messages } from "./rules.ts";

/**
 * Publishes a listing for the actor.
 *
 * @param formId the id of the form; sending the same form again publishes nothing new
 * @returns the id of the listing
 * @throws {SignedOut} for a visitor
 * @throws {Denied} without permission
 */
export async function createJob(
  db: Database,
  actor: Actor | null,
  job: JobInput,
  formId?: string,
): Promise<string> {
  authorize(actor, "job.manage", messages.signedOut);
  return db.transaction(async (tx) => {
    const id = isUuid(formId) ? formId : randomUUID();
    if (await insertJob(tx, actor, id, job)) return id;
    if (await isSameJob(tx, actor, id, job)) return id;
    // The form was sent before, and after Back it was sent again with other values.
    const other = randomUUID();
    await insertJob(tx, actor, other, job);
    return other;
  });
}

/** Returns false if the id is already in use. */
async function insertJob(tx: Database, actor: Actor, id: string, job: JobInput): Promise<boolean> {
  const inserted = await tx
    .insert(jobs)
    .values({ ...job, id, createdBy: actor.id, postedAt: now(), isArchived: false })
    .onConflictDoNothing({ target: jobs.id })
    .returning({ id: jobs.id });
  if (inserted.length === 0) return false;
  await recordAuditEvents(tx, [
    { actor, event: "job.create", subject: { type: "job", id }, after: job },
  ]);
  return true;
}

async function isSameJob(tx: Database, actor: Actor, id: string, job: JobInput): Promise<boolean> {
  const [present] = await tx
    .select(columns)
    .from(jobs)
    .where(and(eq(jobs.id, id), eq(jobs.createdBy, actor.id)));
  if (!present) return false;
  return Object.keys(getJobChanges(toWrittenFields(present), job).after).length === 0;
}

/**
 * Updates a listing's fields, but not its creator and its posting date. Details that `job` doesn't have stay as they
 * are.
 *
 * @param version the version that the actor opened; without one, concurrent changes are not detected
 * @throws {NotFound} for a listing that the actor may not manage
 * @throws {Conflict} if the listing has changed since that version
 */
export async function updateJob(
  db: Database,
  actor: Actor | null,
  id: string,
  job: JobInput,
  version?: string,
): Promise<void> {
  authorize(actor, "job.manage", messages.signedOut);
  await db.transaction(async (tx) => {
    const written = toWrittenFields(await lockOwnJob(tx, actor, id));
    const { before, after } = getJobChanges(written, job);
    if (Object.keys(after).length === 0) return;
    if (version && version !== getJobVersion(written))
      throw new Conflict(messages.changedMeanwhile);
    await tx
      .update(jobs)
      .set({ ...after, updatedAt: now() })
      .where(isOwnJob(actor, id));
    await recordAuditEvents(tx, [
      { actor, event: "job.update", subject: { type: "job", id }, before, after },
    ]);
  });
}

/** Returns a hash of a listing's fields and details, to detect concurrent changes. */
export function getJobVersion(written: WrittenJob): string {
  const stated = getValues(written, detailNames);
  // The hash of a listing without details is the same as before details existed, so that forms opened then still fit.
  const hasDetails = detailNames.some((name) => !isSameValue(stated[name], noDetails[name]));
  const parts = [getValues(written, fieldNames), ...(hasDetails ? [stated] : [])];
  return createHash("sha256")
    .update(parts.map((part) => JSON.stringify(part)).join(""))
    .digest("hex");
}

/** Returns the changed fields with their values before and after. */
function getJobChanges(written: WrittenJob, job: JobInput) {
  const changed = [...fieldNames, ...detailNames].filter(
    (name) => job[name] !== undefined && !isSameValue(written[name], job[name]),
  );
  return { before: getValues(written, changed), after: getValues(job, changed) };
}

/** Compares two values of a field. Lists are equal if they have the same items in the same order. */
function isSameValue(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function getValues<Source, Name extends keyof Source>(
  source: Source,
  names: readonly Name[],
): Pick<Source, Name> {
  const entries = names.map((name) => [name, source[name]]);
  return Object.fromEntries(entries) as Pick<Source, Name>;
}

/**
 * Takes a listing off the public board. Does nothing if it is already archived.
 *
 * @throws {NotFound} for a listing that the actor may not manage
 */
export async function archiveJob(db: Database, actor: Actor | null, id: string): Promise<void> {
  authorize(actor, "job.manage");
  await setArchived(db, actor, id, true);
}

/**
 * Puts a listing back on the public board with its original date. Does nothing if it is already open.
 *
 * @throws {NotFound} for a listing that the actor may not manage
 * @throws {Conflict} for its owner, if we removed it after reports
 */
export async function unarchiveJob(db: Database, actor: Actor | null, id: string): Promise<void> {
  authorize(actor, "job.manage");
  await setArchived(db, actor, id, false);
}

const isNotRemoved = sql`${jobs.archivedReason} is distinct from 'reported'`;

async function setArchived(db: Database, actor: Actor, id: string, isArchived: boolean) {
  await db.transaction(async (tx) => {
    const mayUndoRemoval = isArchived || permissions["job.manage-any"](actor);
    const changed = await tx
      .update(jobs)
      .set(isArchived ? { isArchived } : { isArchived, archivedReason: null })
      .where(
        and(
          isOwnJob(actor, id),
          ne(jobs.isArchived, isArchived),
          mayUndoRemoval ? undefined : isNotRemoved,
        ),
      )
      .returning({ id: jobs.id });
    if (changed.length === 0) {
      const job = await lockOwnJob(tx, actor, id);
      if (!mayUndoRemoval && job.archivedReason === "reported")
        throw new Conflict(messages.removed);
      return;
    }
    await recordAuditEvents(tx, [
      {
        actor,
        event: isArchived ? "job.archive" : "job.unarchive",
        subject: { type: "job", id },
        before: { isArchived: !isArchived },
        after: { isArchived },
      },
    ]);
  });
}

/**
 * Deletes a listing permanently. Its text stays in the audit trail.
 *
 * @throws {NotFound} for a listing that the actor may not manage, or that was deleted before
 */
export async function deleteJob(db: Database, actor: Actor | null, id: string): Promise<void> {
  authorize(actor, "job.manage");
  await db.transaction(async (tx) => {
    const [before] = await tx.delete(jobs).where(isOwnJob(actor, id)).returning(columns);
    if (!before) throw new NotFound(messages.notFound);
    await recordAuditEvents(tx, [
      { actor, event: "job.delete", subject: { type: "job", id }, before, after: null },
    ]);
  });
}

/**
 * Matches this listing in SQL if the actor may manage it: their own, or any for god admins.
 *
 * @throws {NotFound} for an invalid id
 */
function isOwnJob(actor: Actor, id: string): SQL | undefined {
  if (!isUuid(id)) throw new NotFound(messages.notFound);
  const canManageAny = permissions["job.manage-any"](actor);
  return and(eq(jobs.id, id), canManageAny ? undefined : eq(jobs.createdBy, actor.id));
}

/** Locks a listing that the actor may manage, for the rest of the transaction. */
async function lockOwnJob(tx: Database, actor: Actor, id: string) {
  const [job] = await tx.select(columns).from(jobs).where(isOwnJob(actor, id)).for("no key update");
  if (!job) throw new NotFound(messages.notFound);
  return job;
}

const { searchText: _text, facets: _facets, payYear: _payYear, ...columns } = getTableColumns(jobs);
/** A listing's columns without those that the database computes. */
export { columns };

type StoredJob = Pick<typeof jobs.$inferSelect, keyof typeof columns>;

/** The fields and details of a listing that people write. */
export type WrittenJob = Record<keyof JobFields, string | null> & JobDetails;

const fieldNames = Object.keys(blankFields) as (keyof JobFields)[];
const detailNames = Object.keys(noDetails) as (keyof JobDetails)[];

/** Picks the fields and details that people write from a complete row. */
export function toWrittenFields(job: StoredJob): WrittenJob {
  return getValues(job, [...fieldNames, ...detailNames]);
}
