import { render } from "@react-email/render";
import { and, eq, gt, isNotNull, isNull, lt, or, sql } from "drizzle-orm";
import type { ReactElement } from "react";
import { day, hour, minute, now, second } from "../platform/clock.ts";
import { type Database, deleteRowsInSteps } from "../platform/database.server.ts";
import type { Log } from "../platform/log.server.ts";
import { recordUse } from "../platform/metrics.server.ts";
import { queueTask, type Task } from "../platform/tasks.server.ts";
import { mails } from "./tables.server.ts";
import { mailConnections, MailNotSent, type MailTransport } from "./transport.server.ts";

/** A mail before it is queued. */
export type NewMail = {
  /** Names what made the mail necessary; one cause makes one mail, however often it is queued. */
  cause: string;
  to: string;
  /** The address that an answer goes to; without it, the sender's of all our mails. */
  replyTo?: string;
  subject: string;
  body: ReactElement;
};

export const deliverMailTask = { name: "deliver-mail" };

/** Writes a mail in the transaction that causes it. It goes out when the transaction commits. */
export async function queueMail(tx: Database, mail: NewMail): Promise<void> {
  const id = await createMail(tx, mail, { createdAt: now() });
  if (id) await queueDelivery(tx, id);
}

/**
 * Renders a mail and stores it, without queueing its delivery.
 *
 * @param facts when it was written and, for mails of the past, what happened to it since
 * @returns its id; null when its cause already has a mail.
 */
export async function createMail(
  tx: Database,
  { cause, to, replyTo, subject, body }: NewMail,
  facts: Pick<typeof mails.$inferInsert, "createdAt"> & Partial<typeof mails.$inferInsert>,
): Promise<string | null> {
  const [html, text] = await Promise.all([render(body), render(body, { plainText: true })]);
  const [created] = await tx
    .insert(mails)
    .values({ cause, recipient: to, replyTo, subject, html, text, ...facts })
    .onConflictDoNothing({ target: mails.cause })
    .returning({ id: mails.id });
  return created?.id ?? null;
}

/** Has a written mail sent once the transaction commits. */
export function queueDelivery(tx: Database, mailId: string): Promise<void> {
  return queueTask(tx, deliverMailTask, { mailId });
}

/** A sending ends after this, whatever the server does; the lease is longer, so that none overlap. */
const sendTimeout = 30 * second;
const lease = minute;
/**
 * The time after queueing in which a mail is retried. A mail that only met temporary errors is then given up.
 */
const retryPeriod = day;
/** Takes about two hours. A clock that jumps, or a day without a worker, is no day of tries. */
const minTries = 12;

/** The task that sends a queued mail; tried again, ever more rarely, for a day. */
export function createDeliverMailTask(
  transport: MailTransport,
  host: string,
): Task<{ mailId: string }> {
  return {
    ...deliverMailTask,
    // More than fit into the day: the mail's age decides, and is written beside it.
    retries: 60,
    retryDelay: 5,
    retryDelayMax: hour / second,
    atOnce: mailConnections,
    lostAfter: lease / second,
    run: ({ mailId }, { db, log }) => deliverQueuedMail({ db, log, transport, host }, mailId),
  };
}

type Parts = { db: Database; log: Log; transport: MailTransport; host: string };

/**
 * Sends one mail unless it was sent. It is leased, sent outside of any transaction, then recorded.
 * Only a crash before our record, or an acceptance after the deadline, can repeat it, with the same
 * Message-ID.
 *
 * @throws {MailNotSent} when it is to be tried again.
 */
async function deliverQueuedMail(
  { db, log, transport, host }: Parts,
  mailId: string,
): Promise<void> {
  // Starts before the lease, so that it also ends before it.
  const signal = AbortSignal.timeout(sendTimeout);
  const mail = await claimMail(db, mailId);
  if (!mail) return;
  const { recipient: to, replyTo, subject, html, text } = mail;
  try {
    const messageId = `${mail.id}@${host}`;
    await transport.send({ messageId, to, replyTo, subject, html, text }, signal);
  } catch (error) {
    if (!(error instanceof MailNotSent)) throw error;
    recordUse("mail", error.isFinal ? null : error.message);
    const facts = { cause: mail.cause, attempts: mail.attempts + 1, why: error.message };
    const givenUp = await recordDeliveryFailure(db, mail, error);
    if (!givenUp) throw new MailNotSent(`${mail.cause}: ${error.message} ${retryHint}`, false);
    log.error(
      { ...facts, toDo: "See the admins' overview; it is not tried again." },
      "mail given up",
    );
    return;
  }
  if (!transport.captures) recordUse("mail", null);
  await db
    .update(mails)
    .set({ sentAt: now(), lastError: null, leasedUntil: null, ...buildClearedTexts(transport) })
    .where(eq(mails.id, mailId));
}

type Mail = typeof mails.$inferSelect;

/** True in SQL while no process sends the mail, by PostgreSQL's clock, which all processes share. */
export function isNotLeased() {
  return or(isNull(mails.leasedUntil), lt(mails.leasedUntil, sql`now()`));
}

/**
 * Leases the mail: of any number at once, one gets it.
 *
 * @returns null when there is nothing left to do.
 * @throws {MailNotSent} while somebody else has it, who may yet fail.
 */
async function claimMail(db: Database, mailId: string): Promise<Mail | null> {
  const open = and(eq(mails.id, mailId), isNull(mails.sentAt), isNull(mails.givenUpAt));
  const [mail] = await db
    .update(mails)
    .set({ leasedUntil: sql`now() + ${`${lease} ms`}::interval` })
    .where(and(open, isNotLeased()))
    .returning();
  if (mail) return mail;
  const [held] = await db.select({ cause: mails.cause }).from(mails).where(open);
  if (held) throw new MailNotSent(`${held.cause}: being sent elsewhere`, false);
  return null;
}

/** The task's failure is logged with it. */
const retryHint =
  "(It is tried again by itself; see that the server of SMTP_URL answers and takes our login.)";

/** Gives back the lease. True when the mail is given up. */
async function recordDeliveryFailure(
  db: Database,
  mail: Mail,
  error: MailNotSent,
): Promise<boolean> {
  const moment = now();
  const isOld = moment.getTime() - mail.createdAt.getTime() > retryPeriod;
  const givenUp = error.isFinal || (isOld && mail.attempts + 1 >= minTries);
  await db
    .update(mails)
    .set({
      attempts: sql`${mails.attempts} + 1`,
      lastError: error.message,
      leasedUntil: null,
      givenUpAt: givenUp ? moment : null,
    })
    .where(eq(mails.id, mail.id));
  return givenUp;
}

/** A mail that left keeps no text here: it may hold a link that opens an account. */
function buildClearedTexts(transport: MailTransport): { html?: string; text?: string } {
  return transport.captures ? {} : { html: "", text: "" };
}

/** It has not left, and is to. */
export function isUnsent() {
  return and(isNull(mails.sentAt), isNull(mails.droppedAt));
}

/** A mail that has not left is reported for a week: by then its reader no longer waits for it. */
export function isReported() {
  return gt(mails.createdAt, new Date(now().getTime() - 7 * day));
}

/** Counts the mails of the last week that wait or are retried, and those that were given up. */
export async function countUnsentMails(db: Database): Promise<{ waiting: number; failed: number }> {
  const unsent = and(isUnsent(), isReported());
  const [waiting, failed] = await Promise.all([
    db.$count(mails, and(unsent, isNull(mails.givenUpAt))),
    db.$count(mails, and(unsent, isNotNull(mails.givenUpAt))),
  ]);
  return { waiting, failed };
}

const mailRetention = 30 * day;

/** Forgets mails a month after they were written, whatever became of them. */
export function deleteExpiredMails(db: Database): Promise<number> {
  const before = new Date(now().getTime() - mailRetention);
  return deleteRowsInSteps(db, mails, mails.id, lt(mails.createdAt, before));
}
