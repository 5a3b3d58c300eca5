import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import { recordAuditEvents } from "../../platform/audit.server.ts";
import { now } from "../../platform/clock.ts";
import type { Database } from "../../platform/database.server.ts";
import { jobs } from "../tables.server.ts";
import { lockOwnJob, ownJob, writtenFields } from "./own-job.server.ts";
import { type JobFields, messages } from "./rules.ts";

/**
 * Changes what a listing says. Who created it and when it was posted stay as they are.
 *
 * @throws {NotFound} for a listing that is not the actor's to manage.
 */
export async function updateJob(
  db: Database,
  actor: Actor | null,
  id: string,
  job: JobFields,
): Promise<void> {
  authorize(actor, "job.manage", messages.signedOut);
  await db.transaction(async (tx) => {
    const { before, after } = difference(writtenFields(await lockOwnJob(tx, actor, id)), job);
    if (Object.keys(after).length === 0) return;
    await tx
      .update(jobs)
      .set({ ...after, updatedAt: now() })
      .where(ownJob(actor, id));
    await recordAuditEvents(tx, [
      { actor, event: "job.update", subject: { type: "job", id }, before, after },
    ]);
  });
}

type Fields = Record<keyof JobFields, string | null>;

/** What is to change: how it was, and how it will be. */
function difference(was: Fields, job: JobFields) {
  const names = Object.keys(was) as (keyof JobFields)[];
  const changed = names.filter((name) => was[name] !== job[name]);
  const before = Object.fromEntries(changed.map((name) => [name, was[name]]));
  const after: Partial<JobFields> = Object.fromEntries(changed.map((name) => [name, job[name]]));
  return { before, after };
}
