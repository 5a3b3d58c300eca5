import { and, eq, inArray } from "drizzle-orm";
import type { Database } from "../../platform/database.server.ts";
import { auditEvents } from "../../platform/tables.server.ts";
import type { Eraser } from "./erase-person.ts";
import { isEventWithAddress } from "./listings-of-contact.server.ts";

export type JobEvent = { id: string; before: unknown; after: unknown };

/** Lists the events of these listings, and of all others whose events name the address, deleted ones too, with their ids. */
export async function listEventsAbout(
  tx: Database,
  email: string,
  jobIds: string[],
): Promise<{ ids: string[]; events: JobEvent[] }> {
  const naming = await tx
    .select({ jobId: auditEvents.subjectId })
    .from(auditEvents)
    .where(isEventWithAddress(email));
  const ids = [...new Set([...jobIds, ...naming.map(({ jobId }) => jobId)])];
  const events = await tx
    .select({ id: auditEvents.id, before: auditEvents.before, after: auditEvents.after })
    .from(auditEvents)
    .where(and(eq(auditEvents.subjectType, "job"), inArray(auditEvents.subjectId, ids)));
  return { ids, events };
}

export function listEventsOf(tx: Database, jobId: string): Promise<JobEvent[]> {
  return tx
    .select({ id: auditEvents.id, before: auditEvents.before, after: auditEvents.after })
    .from(auditEvents)
    .where(and(eq(auditEvents.subjectType, "job"), eq(auditEvents.subjectId, jobId)));
}

/** Erases a contact from events. What happened, when and by which account stays. */
export async function removeFromEvents(
  tx: Database,
  events: JobEvent[],
  { eraseState }: Eraser,
): Promise<void> {
  for (const { id, before, after } of events) {
    const left = { before: eraseState(before), after: eraseState(after) };
    if (JSON.stringify(left) === JSON.stringify({ before, after })) continue;
    await tx.update(auditEvents).set(left).where(eq(auditEvents.id, id));
  }
}
