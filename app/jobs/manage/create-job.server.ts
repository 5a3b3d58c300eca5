import { randomUUID } from "node:crypto";
import { and, eq } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import { recordAuditEvents } from "../../platform/audit.server.ts";
import { now } from "../../platform/clock.ts";
import type { Database } from "../../platform/database.server.ts";
import { isUuid } from "../../platform/uuid.ts";
import { jobs } from "../tables.server.ts";
import { columns, writtenFields } from "./own-job.server.ts";
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
    if (await isSame(tx, actor, id, job)) return id;
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

async function isSame(tx: Database, actor: Actor, id: string, job: JobFields): Promise<boolean> {
  const [present] = await tx
    .select(columns)
    .from(jobs)
    .where(and(eq(jobs.id, id), eq(jobs.createdBy, actor.id)));
  if (!present) return false;
  const written = writtenFields(present);
  return Object.entries(job).every(([name, value]) => written[name as keyof JobFields] === value);
}
