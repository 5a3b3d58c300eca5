import { now } from "./clock.ts";
import type { Database } from "./database.server.ts";
import { auditEvents } from "./tables.server.ts";

/** What a staff member or the operator did. */
export type AuditEntry = {
  actor: { id: string; fullName: string | null } | "operator";
  /** The deed's name, such as "review.assign". */
  deed: string;
  subject: { type: string; id: string };
  before?: unknown;
  after?: unknown;
};

/** Writes lines into the audit trail, in the transaction of the deed. */
export async function recordDeeds(tx: Database, entries: AuditEntry[]): Promise<void> {
  if (entries.length === 0) return;
  const at = now();
  await tx.insert(auditEvents).values(
    entries.map(({ actor, deed, subject, before, after }) => ({
      at,
      actorId: actor === "operator" ? null : actor.id,
      actorName: actor === "operator" ? "Operator" : (actor.fullName ?? "Unnamed User"),
      deed,
      subjectType: subject.type,
      subjectId: subject.id,
      before: before ?? null,
      after: after ?? null,
    })),
  );
}
