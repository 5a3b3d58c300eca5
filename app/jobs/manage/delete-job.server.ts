import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import { recordAuditEvents } from "../../platform/audit.server.ts";
import type { Database } from "../../platform/database.server.ts";
import { NotFound } from "../../platform/errors.ts";
import { jobs } from "../tables.server.ts";
import { columns, ownJob } from "./own-job.server.ts";
import { messages } from "./rules.ts";

/**
 * Deletes a listing for good; the audit trail keeps what it said.
 *
 * @throws {NotFound} for a listing that is not the actor's to manage, or was deleted before.
 */
export async function deleteJob(db: Database, actor: Actor | null, id: string): Promise<void> {
  authorize(actor, "job.manage");
  await db.transaction(async (tx) => {
    const [before] = await tx.delete(jobs).where(ownJob(actor, id)).returning(columns);
    if (!before) throw new NotFound(messages.notFound);
    await recordAuditEvents(tx, [
      { actor, event: "job.delete", subject: { type: "job", id }, before, after: null },
    ]);
  });
}
