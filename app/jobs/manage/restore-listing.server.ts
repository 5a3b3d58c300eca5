import { and, asc, eq, gte } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import { recordAuditEvents } from "../../platform/audit.server.ts";
import type { Database } from "../../platform/database.server.ts";
import { Conflict } from "../../platform/errors.ts";
import { auditEvents } from "../../platform/tables.server.ts";
import { jobs } from "../tables.server.ts";
import { requirePublishableContacts } from "../contact/stopped-contacts.server.ts";
import {
  defaultPublishing,
  getOwnJob,
  lockOwnJob,
  type PublishSettings,
} from "./job-commands.server.ts";
import { messages } from "./rules.ts";

/** The columns of a listing that its history has before and after archiving. */
type ArchivedState = {
  isArchived: boolean;
  archivedReason?: typeof jobs.$inferSelect.archivedReason;
  closesOn?: string | null;
};

/**
 * Undoes the actor's own archiving or unarchiving of a listing, with the reason and the closing date that it had.
 *
 * @param change.at the time of the change in the history
 * @returns true if the listing is archived again
 * @throws {NotFound} for a listing that the actor may not manage
 * @throws {Conflict} if the listing was changed after that, or names a contact who had their name removed
 */
export async function restoreListing(
  db: Database,
  actor: Actor | null,
  { id, at }: { id: string; at: Date },
  settings: PublishSettings = defaultPublishing,
): Promise<boolean> {
  authorize(actor, "job.manage");
  return db.transaction(async (tx) => {
    const listing = await getOwnJob(tx, actor, id);
    if (listing.isArchived) await requirePublishableContacts(tx, settings, listing);
    const { isArchived, archivedReason } = await lockOwnJob(tx, actor, id);
    const events = await tx
      .select()
      .from(auditEvents)
      .where(and(eq(auditEvents.subjectId, id), gte(auditEvents.at, at)))
      .orderBy(asc(auditEvents.at))
      .limit(maxAtOnce);
    const isLater = events.some((event) => event.at > at);
    const change = events.find(({ actorId, event }) => actorId === actor.id && event in opposites);
    const [before, after] = [change?.before, change?.after] as ArchivedState[];
    const isSame =
      isArchived === after?.isArchived && archivedReason === (after.archivedReason ?? null);
    if (!change || isLater || !isSame) throw new Conflict(messages.changedAgain);
    const { closesOn } = before!;
    await tx
      .update(jobs)
      .set({
        isArchived: before!.isArchived,
        archivedReason: before!.archivedReason ?? null,
        ...(closesOn !== undefined && { closesOn }),
      })
      .where(eq(jobs.id, id));
    await recordAuditEvents(tx, [
      {
        actor,
        event: opposites[change.event as keyof typeof opposites],
        subject: { type: "job", id },
        before: after,
        after: before,
      },
    ]);
    return before!.isArchived;
  });
}

/** A listing has few events in the same millisecond, such as its creation. */
const maxAtOnce = 10;

const opposites = { "job.archive": "job.unarchive", "job.unarchive": "job.archive" } as const;
