import { randomInt } from "node:crypto";
import { and, desc, eq, gt, lt, or, sql } from "drizzle-orm";
import { z } from "zod";
import { type NewMail, queueMail } from "../mail/deliver-mail.server.ts";
import { day, hour, now } from "../platform/clock.ts";
import type { Config, Product } from "../platform/config.server.ts";
import { type Database, deleteRowsInSteps } from "../platform/database.server.ts";
import type { OwnPath } from "../platform/own-path.ts";
import { normalizeEmail } from "../platform/text/text.ts";
import { createFieldLengthCheck, line, lines } from "../platform/text/text-fields.server.ts";
import type { RateLimit } from "../platform/rate-limit.server.ts";
import { isSuspectedSpam } from "../platform/spam-trap.server.ts";
import { MessageConfirmationMail, MessageMail } from "./emails.tsx";
import { acknowledgeWithin, addMonth } from "./rules.ts";
import { supportMessages } from "./tables.server.ts";
import { buildTicketLink, buildTicketPath } from "./ticket-links.server.ts";

/** Builds the schema for a text with a minimum and maximum length in characters. */
export const buildLengthSchema = (field: string, min: number, max: number) =>
  z
    .string()
    .min(min, `${field} must be at least ${min} characters.`)
    .refine(createFieldLengthCheck(max), `${field} must be at most ${max} characters.`);

/** The contact form. The last two fields are the spam trap. */
export const messageForm = z.object({
  name: line.pipe(buildLengthSchema("Name", 2, 120)),
  email: line
    .transform(normalizeEmail)
    .pipe(
      z
        .email("Please enter a valid email address.")
        .max(254, "Please enter a valid email address."),
    ),
  subject: line.pipe(buildLengthSchema("Subject", 5, 200)),
  message: lines.pipe(buildLengthSchema("Message", 10, 5000)),
  topic: z.string().default(""),
  renderedAt: z.string().default(""),
});

type MessageForm = z.output<typeof messageForm>;

/** The limit per client is high, since many people share the IP address of a mobile network. */
export const messageByClient: RateLimit = { name: "contact-client", max: 20, windowMs: hour };
export const messageByAddress: RateLimit = { name: "contact-address", max: 5, windowMs: hour };

type Sending = {
  form: MessageForm;
  /** The signed-in person who sent it. */
  sender: { id: string; email: string } | null;
  /** Generates ticket numbers. */
  ticketOf?: () => string;
};

type Stored = typeof supportMessages.$inferSelect;
type Written = Pick<Stored, "id" | "ticket" | "name" | "email" | "subject" | "message">;

/** The settings that messages and their emails need. */
export type SupportSettings = Pick<Config, "origin" | "product" | "secrets">;

/**
 * Stores a message under a ticket number, emails it to support and sends a confirmation to the sender.
 * Suspected spam is only stored, but gets the same response.
 *
 * @returns the ticket number and the path where the sender can follow the message.
 */
export async function sendMessage(
  db: Database,
  config: SupportSettings,
  sending: Sending,
): Promise<{ ticket: string; path: OwnPath }> {
  return db.transaction(async (tx) => {
    const stored = await insertMessage(tx, sending);
    const isOwnAddress = sending.sender?.email === stored.email;
    if (!stored.isSuspected) {
      await queueMail(tx, buildMessageMail(config.product, stored));
      await queueMessageConfirmation(tx, config, stored, isOwnAddress);
    }
    const { ticket } = stored;
    return { ticket, path: buildTicketPath(config, ticket, isOwnAddress ? "mailed" : "shown") };
  });
}

async function insertMessage(
  tx: Database,
  { form, sender, ticketOf = generateTicket }: Sending,
): Promise<Stored> {
  const { name, email, subject, message } = form;
  const createdAt = now();
  for (let attempt = 0; attempt < 5; attempt++) {
    const [stored] = await tx
      .insert(supportMessages)
      .values({
        ticket: ticketOf(),
        name,
        email,
        subject,
        message,
        senderId: sender?.id,
        isSuspected: isSuspectedSpam(form, createdAt),
        createdAt,
        ...startClocks(createdAt),
      })
      .onConflictDoNothing({ target: supportMessages.ticket })
      .returning();
    if (stored) return stored;
  }
  throw new Error("No free ticket number after five attempts.");
}

/** Returns the columns of a message whose deadlines count from this time. */
export function startClocks(moment: Date) {
  return { ...startReadingClock(moment), dueAt: addMonth(moment), settledAt: null };
}

/** The same for the time by which a person has to read it. */
export function startReadingClock(moment: Date) {
  const acknowledgeBy = new Date(moment.getTime() + acknowledgeWithin);
  return { acknowledgeBy, acknowledgedAt: null, unreadWarnedAt: null };
}

/** Returns the columns of a reopened message. Its month runs on from the first time, so that a late one stays late. */
export const reopened = { settledAt: null };

/** Builds the email to support with a message. */
export function buildMessageMail(product: Product, message: Written): NewMail {
  return {
    cause: `contact:${message.id}`,
    to: product.supportEmail,
    replyTo: message.email,
    subject: `[${message.ticket}] ${message.subject}`,
    body: <MessageMail product={product} message={message} />,
  };
}

/** Sends at most one confirmation per hour to an address, since the sender may not own it. */
async function queueMessageConfirmation(
  tx: Database,
  config: SupportSettings,
  stored: Stored,
  isOwnAddress: boolean,
): Promise<void> {
  const { id, email } = stored;
  if (!(await canConfirm(tx, email))) return;
  await tx
    .update(supportMessages)
    .set({ confirmedAt: stored.createdAt })
    .where(eq(supportMessages.id, id));
  await queueMail(tx, buildMessageConfirmationMail(config, stored, isOwnAddress));
}

/**
 * Builds the confirmation email to the sender of a message.
 *
 * @param isOwnAddress whether they were signed in with this address; only then it includes the message
 */
export function buildMessageConfirmationMail(
  config: SupportSettings,
  message: Written,
  isOwnAddress: boolean,
): NewMail {
  const { id, email, ticket } = message;
  return {
    cause: `contact-confirmation:${id}`,
    to: email,
    subject: `We received your message (${ticket})`,
    body: (
      <MessageConfirmationMail
        product={config.product}
        message={message}
        copies={isOwnAddress}
        link={buildTicketLink(config, ticket, "mailed")}
      />
    ),
  };
}

/** Locks the address until the transaction ends, so that concurrent messages send one confirmation. */
async function canConfirm(tx: Database, email: string): Promise<boolean> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`contact:${email}`}, 0))`);
  const anHourAgo = new Date(now().getTime() - hour);
  const confirmed = await tx.$count(
    supportMessages,
    and(eq(supportMessages.email, email), gt(supportMessages.confirmedAt, anHourAgo)),
  );
  return confirmed === 0;
}

/** Vowels and look-alike characters are left out, so that tickets are easy to read out on the phone. */
const alphabet = "23456789BCDFGHJKMNPQRSTVWXYZ";

/** Generates a ticket number, as in "T-7QK3-9FWM". */
export function generateTicket(): string {
  const random = Array.from({ length: 8 }, () => alphabet[randomInt(alphabet.length)]).join("");
  return `T-${random.slice(0, 4)}-${random.slice(4)}`;
}

const maxListed = 50;

/** Lists the newest suspected spam messages, which were not emailed. For the operator only. */
export function listSuspectedMessages(db: Database) {
  return db
    .select({
      ticket: supportMessages.ticket,
      name: supportMessages.name,
      email: supportMessages.email,
      subject: supportMessages.subject,
      message: supportMessages.message,
      createdAt: supportMessages.createdAt,
    })
    .from(supportMessages)
    .where(eq(supportMessages.isSuspected, true))
    .orderBy(desc(supportMessages.createdAt))
    .limit(maxListed);
}

const messageRetention = 365 * day;
const spamRetention = 30 * day;

/** Deletes messages after a year, and suspected spam after a month. */
export function deleteExpiredMessages(db: Database): Promise<number> {
  const before = (age: number) => lt(supportMessages.createdAt, new Date(now().getTime() - age));
  const isExpired = or(
    before(messageRetention),
    and(supportMessages.isSuspected, before(spamRetention)),
  );
  return deleteRowsInSteps(db, supportMessages, supportMessages.id, isExpired);
}
