import { now } from "./clock.ts";
import type { Database } from "./database.server.ts";
import { auditEvents } from "./tables.server.ts";

/** What a staff member or the operator did. */
export type AuditEvent = {
  actor: { id: string; fullName: string | null } | "operator";
  /** The event's name, such as "review.assign". */
  event: string;
  subject: { type: string; id: string };
  before?: unknown;
  after?: unknown;
};

/** Writes lines into the audit trail, in the transaction of what happened. */
export async function recordAuditEvents(tx: Database, entries: AuditEvent[]): Promise<void> {
  if (entries.length === 0) return;
  const at = now();
  await tx.insert(auditEvents).values(
    entries.map(({ actor, event, subject, before, after }) => ({
      at,
      actorId: actor === "operator" ? null : actor.id,
      actorName: actor === "operator" ? "Operator" : (actor.fullName ?? "Unnamed User"),
      event,
      subjectType: subject.type,
      subjectId: subject.id,
      before: before ?? null,
      after: after ?? null,
    })),
  );
}
