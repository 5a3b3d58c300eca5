import { and, ne } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import { recordAuditEvents } from "../../platform/audit.server.ts";
import type { Database } from "../../platform/database.server.ts";
import { jobs } from "../tables.server.ts";
import { lockOwnJob, ownJob } from "./own-job.server.ts";

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
      .where(and(ownJob(actor, id), ne(jobs.isArchived, isArchived)))
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
