import { now } from "./clock.ts";
import type { Database } from "./database.server.ts";
import { auditEvents } from "./tables.server.ts";

/** An action of a staff member, the operator or the contact of a job, or the effect of a payment. */
export type AuditEvent = {
  actor: { id: string; fullName: string | null } | keyof typeof actorsWithoutAccount;
  /** The event's name, such as "review.assign". */
  event: string;
  subject: { type: string; id: string };
  before?: unknown;
  after?: unknown;
  /** The time of a past event. Defaults to now. */
  at?: Date;
};

const actorsWithoutAccount = {
  operator: "Operator",
  contact: "The contact",
  payment: "A payment",
};

/** A statement takes about 65,000 values, and each event has eight. */
const maxPerStatement = 5_000;

/** Writes events to the audit log, in the transaction of their change. */
export async function recordAuditEvents(
  tx: Database,
  entries: readonly AuditEvent[],
): Promise<void> {
  const moment = now();
  for (let first = 0; first < entries.length; first += maxPerStatement)
    await tx.insert(auditEvents).values(
      entries
        .slice(first, first + maxPerStatement)
        .map(({ actor, event, subject, before, after, at }) => ({
          at: at ?? moment,
          ...toActorColumns(actor),
          event,
          subjectType: subject.type,
          subjectId: subject.id,
          before: before ?? null,
          after: after ?? null,
        })),
    );
}

function toActorColumns(actor: AuditEvent["actor"]) {
  return typeof actor === "string"
    ? { actorId: null, actorName: actorsWithoutAccount[actor] }
    : { actorId: actor.id, actorName: actor.fullName ?? "Unnamed User" };
}
