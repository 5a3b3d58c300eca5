import { createHash, randomUUID } from "node:crypto";
import { and, eq, getTableColumns, ne, type SQL } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize, permissions } from "../../accounts/permissions.server.ts";
import { recordAuditEvents } from "../../platform/audit.server.ts";
import { now } from "../../platform/clock.ts";
import { type Database, isUuid } from "../../platform/database.server.ts";
import { Conflict, NotFound } from "../../platform/errors.ts";
import { jobs } from "../tables.server.ts";
import { type JobFields, messages } from "./rules.ts";

/**
 * Publishes a listing of the actor's own, at this moment.
 *
 * @param formId of the form that was filled in: the same form sent again publishes nothing more
 * @returns the id of the listing
 * @throws {SignedOut} for a visitor, and {Denied} for who may not.
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
    // The browser went back to a form that was sent before, and something else was written into it.
    const other = randomUUID();
    await insertJob(tx, actor, other, job);
    return other;
  });
}

/** @returns false when there is a listing of this id */
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
 * Changes what a listing says. Who created it and when it was posted stay as they are.
 *
 * @param version of the listing as it was opened; without one it is not asked what it says by now
 * @throws {NotFound} for a listing that is not the actor's to manage.
 * @throws {Conflict} for one that somebody has changed meanwhile.
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

/** Names what a listing says; it changes with that. */
export function getJobVersion(written: Fields): string {
  return createHash("sha256").update(JSON.stringify(written)).digest("hex");
}

/** Returns the changed fields, as they were and as they will be. */
function getJobChanges(was: Fields, job: JobFields) {
  const names = Object.keys(was) as (keyof JobFields)[];
  const changed = names.filter((name) => was[name] !== job[name]);
  const before = Object.fromEntries(changed.map((name) => [name, was[name]]));
  const after: Partial<JobFields> = Object.fromEntries(changed.map((name) => [name, job[name]]));
  return { before, after };
}

/**
 * Takes a listing off the public board. Harmless when it is off already.
 *
 * @throws {NotFound} for a listing that is not the actor's to manage.
 */
export async function archiveJob(db: Database, actor: Actor | null, id: string): Promise<void> {
  authorize(actor, "job.manage");
  await setArchived(db, actor, id, true);
}

/**
 * Puts a listing back on the public board, at its old place. Harmless when it is there.
 *
 * @throws {NotFound} for a listing that is not the actor's to manage.
 */
export async function unarchiveJob(db: Database, actor: Actor | null, id: string): Promise<void> {
  authorize(actor, "job.manage");
  await setArchived(db, actor, id, false);
}

async function setArchived(db: Database, actor: Actor, id: string, isArchived: boolean) {
  await db.transaction(async (tx) => {
    const changed = await tx
      .update(jobs)
      .set({ isArchived })
      .where(and(isOwnJob(actor, id), ne(jobs.isArchived, isArchived)))
      .returning({ id: jobs.id });
    if (changed.length === 0) return void (await lockOwnJob(tx, actor, id));
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
 * Deletes a listing permanently. The audit trail keeps its text.
 *
 * @throws {NotFound} for a listing that is not the actor's to manage, or was deleted before.
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
 * In SQL: this listing, if the actor may manage it. That is one they created, or any for god admins.
 *
 * @throws {NotFound} for what cannot be an id.
 */
function isOwnJob(actor: Actor, id: string): SQL | undefined {
  if (!isUuid(id)) throw new NotFound(messages.notFound);
  const isAnybodys = permissions["job.manage-any"](actor);
  return and(eq(jobs.id, id), isAnybodys ? undefined : eq(jobs.createdBy, actor.id));
}

/** Locks a listing that the actor may manage, for the rest of the transaction. */
async function lockOwnJob(tx: Database, actor: Actor, id: string) {
  const [job] = await tx.select(columns).from(jobs).where(isOwnJob(actor, id)).for("no key update");
  if (!job) throw new NotFound(messages.notFound);
  return job;
}

const { searchText: _generated, ...columns } = getTableColumns(jobs);
/** All that is stored of a listing but what PostgreSQL makes of it. */
export { columns };

type StoredJob = Omit<typeof jobs.$inferSelect, "searchText">;

/** Picks the fields that a person wrote from a complete row. */
export function toWrittenFields(job: StoredJob): Record<keyof JobFields, string | null> {
  const {
    id: _id,
    createdBy: _by,
    postedAt: _at,
    updatedAt: _edit,
    isArchived: _state,
    ...fields
  } = job;
  return fields;
}
