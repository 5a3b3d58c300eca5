import { and, eq, isNotNull, isNull, lt, or } from "drizzle-orm";
import { recordAuditEvents } from "../platform/audit.server.ts";
import { now } from "../platform/clock.ts";
import type { Database } from "../platform/database.server.ts";
import { deliverLater } from "./mails.server.ts";
import { mails } from "./tables.server.ts";

/** A mail that has not left. */
export type UnsentMail = {
  id: string;
  cause: string;
  recipient: string;
  subject: string;
  createdAt: Date;
  attempts: number;
  lastError: string | null;
  /** It is not tried again by itself. */
  givenUpAt: Date | null;
};

/** Lists mails that have not left, the oldest first. @param failed those alone that are given up */
export function listUnsentMails(
  db: Database,
  { failed, limit }: { failed: boolean; limit: number },
): Promise<UnsentMail[]> {
  const { id, cause, recipient, subject, createdAt, attempts, lastError, givenUpAt } = mails;
  return db
    .select({ id, cause, recipient, subject, createdAt, attempts, lastError, givenUpAt })
    .from(mails)
    .where(and(isNull(mails.sentAt), failed ? isNotNull(mails.givenUpAt) : undefined))
    .orderBy(mails.createdAt, mails.id)
    .limit(limit);
}

/**
 * Has mails tried again from now on, as if they had just been written: those that were given up, and with an
 * id one that still waits. Only the operator does this.
 *
 * @param mailId null for all that were given up
 * @returns how many.
 */
export async function retryMails(db: Database, mailId: string | null): Promise<number> {
  return db.transaction(async (tx) => {
    const isMeant =
      mailId === null ? isNotNull(mails.givenUpAt) : and(eq(mails.id, mailId), isIdle());
    const retried = await tx
      .update(mails)
      .set({ givenUpAt: null, createdAt: now() })
      .where(and(isNull(mails.sentAt), isMeant))
      .returning({ id: mails.id });
    for (const { id } of retried) await deliverLater(tx, id);
    await recordAuditEvents(
      tx,
      retried.map(({ id }) => ({
        actor: "operator",
        event: "mail.retry",
        subject: { type: "mail", id },
      })),
    );
    return retried.length;
  });
}

/** Nobody is sending it at this moment. */
function isIdle() {
  return or(isNull(mails.leasedUntil), lt(mails.leasedUntil, now()));
}
