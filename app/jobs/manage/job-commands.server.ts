import { createHash, randomUUID } from "node:crypto";
import { and, eq, getTableColumns, ne, sql, type SQL } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize, permissions } from "../../accounts/permissions.server.ts";
import { recordAuditEvents } from "../../platform/audit.server.ts";
import { now } from "../../platform/clock.ts";
import { type Database, isUuid } from "../../platform/database.server.ts";
import { Conflict, NotFound } from "../../platform/errors.ts";
import { jobs } from "../tables.server.ts";
import { type JobFields, messages } from "./rules.ts";

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
  job: JobFields,
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
async function insertJob(tx: Database, actor: Actor, id: string, job: JobFields): Promise<boolean> {
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

async function isSameJob(tx: Database, actor: Actor, id: string, job: JobFields): Promise<boolean> {
  const [present] = await tx
    .select(columns)
    .from(jobs)
    .where(and(eq(jobs.id, id), eq(jobs.createdBy, actor.id)));
  if (!present) return false;
  const written = toWrittenFields(present);
  return Object.entries(job).every(([name, value]) => written[name as keyof JobFields] === value);
}

/**
 * Updates a listing's fields, but not its creator and its posting date.
 *
 * @param version the version that the actor opened; without one, concurrent changes are not detected
 * @throws {NotFound} for a listing that the actor may not manage
 * @throws {Conflict} if the listing has changed since that version
 */
export async function updateJob(
  db: Database,
  actor: Actor | null,
  id: string,
  job: JobFields,
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

type Fields = Record<keyof JobFields, string | null>;

/** Returns a hash of a listing's fields, to detect concurrent changes. */
export function getJobVersion(written: Fields): string {
  return createHash("sha256").update(JSON.stringify(written)).digest("hex");
}

/** Returns the changed fields with their values before and after. */
function getJobChanges(written: Fields, job: JobFields) {
  const names = Object.keys(written) as (keyof JobFields)[];
  const changed = names.filter((name) => written[name] !== job[name]);
  const before = Object.fromEntries(changed.map((name) => [name, written[name]]));
  const after: Partial<JobFields> = Object.fromEntries(changed.map((name) => [name, job[name]]));
  return { before, after };
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

const { searchText: _generated, ...columns } = getTableColumns(jobs);
/** A listing's columns without the generated one. */
export { columns };

/** Picks the fields that people write from a row. */
export function toWrittenFields(
  job: Pick<typeof jobs.$inferSelect, keyof JobFields>,
): Record<keyof JobFields, string | null> {
  return {
    title: job.title,
    company: job.company,
    location: job.location,
    jobType: job.jobType,
    compensation: job.compensation,
    description: job.description,
    largeDescription: job.largeDescription,
    pocName: job.pocName,
    pocContact: job.pocContact,
    portalApplicationLink: job.portalApplicationLink,
    directApplicationLink: job.directApplicationLink,
  };
}
