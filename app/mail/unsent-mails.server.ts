import { and, eq, isNotNull, sql } from "drizzle-orm";
import { type AuditEvent, recordAuditEvents } from "../platform/audit.server.ts";
import { now } from "../platform/clock.ts";
import type { Database } from "../platform/database.server.ts";
import { buildOrder, countUpTo, readPageOrLast } from "../platform/lists/list.server.ts";
import type { Count } from "../platform/lists/lists.ts";
import { listDueTimes } from "../platform/tasks.server.ts";
import {
  clearedTexts,
  queueDelivery,
  deliverMailTask,
  isNotLeased,
  isUnsent,
} from "./deliver-mail.server.ts";
import { type MailState, mailStates } from "./rules.ts";
import { mails } from "./tables.server.ts";

/** An email that was neither sent nor discarded. */
export type UnsentMail = Awaited<ReturnType<typeof listUnsentMails>>[number];

/** Lists unsent emails, oldest first. Those with `givenUpAt` aren't retried. @param failed whether to list only those that were given up */
export function listUnsentMails(
  db: Database,
  { failed, limit }: { failed: boolean; limit: number },
) {
  const { id, cause, recipient, subject, createdAt, attempts, lastError, givenUpAt } = mails;
  return db
    .select({ id, cause, recipient, subject, createdAt, attempts, lastError, givenUpAt })
    .from(mails)
    .where(and(isUnsent(), failed ? isNotNull(mails.givenUpAt) : undefined))
    .orderBy(mails.createdAt, mails.id)
    .limit(limit);
}

/**
 * Retries one unsent email, or all that were given up, as if they had just been queued.
 *
 * @param by the actor in the audit log
 * @param mailId null for all that were given up
 * @returns the number of retried emails.
 */
export async function retryMails(
  db: Database,
  by: AuditEvent["actor"],
  mailId: string | null,
): Promise<number> {
  return db.transaction(async (tx) => {
    const isSelected =
      mailId === null ? isNotNull(mails.givenUpAt) : and(eq(mails.id, mailId), isNotLeased());
    const retried = await tx
      .update(mails)
      .set({ givenUpAt: null, createdAt: now() })
      .where(and(isUnsent(), isSelected))
      .returning({ id: mails.id });
    for (const { id } of retried) await queueDelivery(tx, id);
    await recordAuditEvents(
      tx,
      retried.map(({ id }) => ({
        actor: by,
        event: "mail.retry",
        subject: { type: "mail", id },
      })),
    );
    return retried.length;
  });
}

/**
 * Discards an unsent email: it is never sent, its text is deleted, and its cause creates no other email.
 *
 * @param by the actor in the audit log
 * @returns false when it was sent, is being sent or was already discarded.
 */
export async function cancelQueuedMail(
  db: Database,
  by: AuditEvent["actor"],
  mailId: string,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const moment = now();
    const [dropped] = await tx
      .update(mails)
      .set({
        droppedAt: moment,
        givenUpAt: sql`coalesce(${mails.givenUpAt}, ${moment.toISOString()}::timestamptz)`,
        ...clearedTexts,
      })
      .where(and(eq(mails.id, mailId), isUnsent(), isNotLeased()))
      .returning({ id: mails.id });
    if (!dropped) return false;
    const subject = { type: "mail", id: mailId };
    await recordAuditEvents(tx, [{ actor: by, event: "mail.drop", subject }]);
    return true;
  });
}

const mailsPerPage = 50;

/** Lists emails of the last month, newest first, in pages. @param state null for all */
export async function listMails(
  db: Database,
  { state, after }: { state: MailState | null; after: string | null },
) {
  const page = await readPageOrLast(newestFirst, { cursor: after, size: mailsPerPage }, (part) =>
    db
      .select(listedColumns)
      .from(mails)
      .where(and(state ? eq(mails.state, state) : undefined, part.where))
      .orderBy(...part.orderBy)
      .limit(part.limit),
  );
  const open = page.rows.filter((mail) => mail.state === "waiting" || mail.state === "failing");
  const dueTimes = await listDueTimes(
    db,
    deliverMailTask,
    "mailId",
    open.map(({ id }) => id),
  );
  return {
    ...page,
    // Null also while an attempt is running.
    rows: page.rows.map((mail) => ({ ...mail, nextTryAt: dueTimes.get(mail.id) ?? null })),
  };
}

const { id, cause, recipient, subject, createdAt, sentAt, attempts, lastError } = mails;

/** Without the text, which may contain a link that opens an account. */
const listedColumns = {
  id,
  cause,
  recipient,
  subject,
  createdAt,
  sentAt,
  attempts,
  lastError,
  state: sql<MailState>`${mails.state}`,
};

const newestFirst = buildOrder("desc", { createdAt, id });

export async function countMails(db: Database): Promise<Record<MailState, Count>> {
  const counts = await Promise.all(
    mailStates.map(async (state) => [state, await countUpTo(db, mails, eq(mails.state, state))]),
  );
  return Object.fromEntries(counts) as Record<MailState, Count>;
}
