import { render, toPlainText } from "@react-email/render";
import { and, eq, gt, isNotNull, isNull, lt, or, sql } from "drizzle-orm";
import type { ReactElement } from "react";
import { day, hour, minute, now, second } from "../platform/clock.ts";
import { type Database, deleteRowsInSteps } from "../platform/database.server.ts";
import type { Config } from "../platform/config.server.ts";
import type { Log } from "../platform/log.server.ts";
import { recordUse } from "../platform/metrics.server.ts";
import { queueTask, type Task } from "../platform/tasks.server.ts";
import { isClosedAddress } from "./rules.ts";
import { mails } from "./tables.server.ts";
import { mailConnections, MailNotSent, type MailTransport } from "./transport.server.ts";

export type NewMail = {
  /** Names the cause. A cause creates only one email, however often it is queued. */
  cause: string;
  to: string;
  /** The address for replies; our sender address if absent. */
  replyTo?: string;
  subject: string;
  body: ReactElement;
  /** More header lines, such as List-Unsubscribe. */
  headers?: Record<string, string>;
};

/** The settings for links and names in emails. */
export type Sender = Pick<Config, "origin" | "product">;

export const deliverMailTask = { name: "deliver-mail" };

/** Queues an email, which is sent once the transaction commits. A closed account gets none. */
export async function queueMail(tx: Database, mail: NewMail): Promise<void> {
  if (isClosedAddress(mail.to)) return;
  const id = await createMail(tx, mail, { createdAt: now() });
  if (id) await queueDelivery(tx, id);
}

/**
 * Renders and stores an email without queueing its delivery.
 *
 * @param columns its creation time and, for demo data, its later state
 * @returns its id; null when its cause already has an email.
 */
export async function createMail(
  tx: Database,
  { cause, to, replyTo, subject, body, headers }: NewMail,
  columns: Pick<typeof mails.$inferInsert, "createdAt"> & Partial<typeof mails.$inferInsert>,
): Promise<string | null> {
  const html = await render(body);
  const text = toPlainText(html, textOptions);
  const [created] = await tx
    .insert(mails)
    .values({ cause, recipient: to, replyTo, subject, html, text, headers, ...columns })
    .onConflictDoNothing({ target: mails.cause })
    .returning({ id: mails.id });
  return created?.id ?? null;
}

/** A drawing with `data-text` is that one line in the plain text. */
const textOptions = {
  selectors: [{ selector: "[data-text]", format: "line" }],
  formatters: { line: addLine },
};

/** The parts of html-to-text that a formatter needs. */
type TextBuilder = {
  openBlock(options: { leadingLineBreaks: number }): void;
  addInline(text: string): void;
  closeBlock(options: { trailingLineBreaks: number }): void;
};

function addLine(
  { attribs }: { attribs?: Record<string, string> },
  _walk: unknown,
  builder: TextBuilder,
): void {
  builder.openBlock({ leadingLineBreaks: 2 });
  builder.addInline(attribs!["data-text"]!);
  builder.closeBlock({ trailingLineBreaks: 2 });
}

/** Queues the delivery of a stored email, once the transaction commits. */
export function queueDelivery(tx: Database, mailId: string): Promise<void> {
  return queueTask(tx, deliverMailTask, { mailId });
}

/** The lease is longer than the timeout, so that two attempts never overlap. */
const sendTimeout = 30 * second;
const lease = minute;
/** An email with only temporary errors is given up after this. */
const retryPeriod = day;
/** Attempts before giving up, about two hours' worth, in case the clock jumps or no worker ran for a day. */
const minAttempts = 12;

/** Creates the task that sends a queued email, with retries at growing intervals for a day. */
export function createDeliverMailTask(
  transport: MailTransport,
  host: string,
): Task<{ mailId: string }> {
  return {
    ...deliverMailTask,
    // More than fit in the retry period, since the email's age decides.
    retries: 60,
    retryDelay: 5,
    retryDelayMax: hour / second,
    atOnce: mailConnections,
    lostAfter: lease / second,
    run: ({ mailId }, { db, log }) => deliverQueuedMail({ db, log, transport, host }, mailId),
  };
}

type DeliveryContext = { db: Database; log: Log; transport: MailTransport; host: string };

/**
 * Sends an email once: leases it, sends it outside any transaction, and records the result. It is sent twice,
 * with the same Message-ID, only after a crash before the record or an acceptance after the timeout.
 *
 * @throws {MailNotSent} when it has to be retried.
 */
async function deliverQueuedMail({ db, log, transport, host }: DeliveryContext, mailId: string) {
  // The timeout starts before the lease, so it also ends before it.
  const signal = AbortSignal.timeout(sendTimeout);
  const mail = await claimMail(db, mailId);
  if (!mail) return;
  const { recipient: to, replyTo, subject, html, text, headers } = mail;
  try {
    const messageId = `${mail.id}@${host}`;
    await transport.send({ messageId, to, replyTo, subject, html, text, headers }, signal);
  } catch (error) {
    if (!(error instanceof MailNotSent)) throw error;
    recordUse("mail", error.isFinal ? null : error.message);
    const details = { cause: mail.cause, attempts: mail.attempts + 1, why: error.message };
    const givenUp = await recordDeliveryFailure(db, mail, error);
    if (!givenUp) throw new MailNotSent(`${mail.cause}: ${error.message} ${retryHint}`, false);
    log.error(
      {
        ...details,
        toDo: "It isn't retried automatically. Resend or discard it on the admin Email screen.",
      },
      "email given up",
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

/** True in SQL while no process is sending the email. Uses PostgreSQL's clock, which all processes share. */
export function isNotLeased() {
  return or(isNull(mails.leasedUntil), lt(mails.leasedUntil, sql`now()`));
}

/**
 * Leases the email to this process.
 *
 * @returns null when nothing is left to do.
 * @throws {MailNotSent} while another process is sending it, since that attempt may fail.
 */
async function claimMail(db: Database, mailId: string): Promise<Mail | null> {
  const open = and(eq(mails.id, mailId), isNull(mails.sentAt), isNull(mails.givenUpAt));
  const [mail] = await db
    .update(mails)
    .set({ leasedUntil: sql`now() + ${`${lease} ms`}::interval` })
    .where(and(open, isNotLeased()))
    .returning();
  if (mail) return mail;
  const [leased] = await db.select({ cause: mails.cause }).from(mails).where(open);
  if (leased) throw new MailNotSent(`${leased.cause}: another process is sending it`, false);
  return null;
}

/** Added to the logged failure of the task. */
const retryHint =
  "(Retried automatically. Check that the SMTP_URL server answers and accepts our login.)";

/** Records a failed attempt and releases the lease. @returns true when the email is given up. */
async function recordDeliveryFailure(db: Database, mail: Mail, error: MailNotSent) {
  const moment = now();
  const isOld = moment.getTime() - mail.createdAt.getTime() > retryPeriod;
  const givenUp = error.isFinal || (isOld && mail.attempts + 1 >= minAttempts);
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

/** The text of an email may contain a link that opens an account, and a header one that ends an alert. */
export const clearedTexts = { html: "", text: "", headers: null };

/** Clears the text of a sent email. The demo inbox shows it. */
function buildClearedTexts(transport: MailTransport): Partial<typeof clearedTexts> {
  return transport.captures ? {} : clearedTexts;
}

/** True in SQL for an email that is neither sent nor discarded. */
export function isUnsent() {
  return and(isNull(mails.sentAt), isNull(mails.droppedAt));
}

/** True in SQL for an email that a mail server rejected permanently, not one that failed for a day. */
export function isRejected() {
  const period = sql`${`${retryPeriod} ms`}::interval`;
  return sql`${mails.givenUpAt} - ${mails.createdAt} <= ${period}`;
}

/** True in SQL for the first week. After that, the recipient no longer waits for the email. */
export function isReported() {
  return gt(mails.createdAt, new Date(now().getTime() - 7 * day));
}

/** Counts the emails of the last week that are queued or retried, and those that were given up. */
export async function countUnsentMails(db: Database): Promise<{ waiting: number; failed: number }> {
  const unsent = and(isUnsent(), isReported());
  const [waiting, failed] = await Promise.all([
    db.$count(mails, and(unsent, isNull(mails.givenUpAt))),
    db.$count(mails, and(unsent, isNotNull(mails.givenUpAt))),
  ]);
  return { waiting, failed };
}

const mailRetention = 30 * day;

/** Deletes all emails a month after they were queued. */
export function deleteExpiredMails(db: Database): Promise<number> {
  const before = new Date(now().getTime() - mailRetention);
  return deleteRowsInSteps(db, mails, mails.id, lt(mails.createdAt, before));
}
