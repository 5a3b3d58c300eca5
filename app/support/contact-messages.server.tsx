import { randomInt } from "node:crypto";
import { and, desc, eq, gt, lt, or, sql } from "drizzle-orm";
import { z } from "zod";
import { type NewMail, queueMail } from "../mail/deliver-mail.server.ts";
import { day, hour, now, second } from "../platform/clock.ts";
import type { Product } from "../platform/config.server.ts";
import { type Database, deleteRowsInSteps } from "../platform/database.server.ts";
import { normalizeEmail } from "../platform/text/text.ts";
import { createFieldLengthCheck, line, lines } from "../platform/text/text-fields.server.ts";
import type { RateLimit } from "../platform/rate-limit.server.ts";
import { ContactConfirmationMail, ContactMessageMail } from "./emails.tsx";
import { contactMessages } from "./tables.server.ts";

/** Builds the schema for a text with a minimum and maximum length in characters. */
export const buildLengthSchema = (field: string, least: number, most: number) =>
  z
    .string()
    .min(least, `${field} must be at least ${least} characters.`)
    .refine(createFieldLengthCheck(most), `${field} must be at most ${most} characters.`);

/** The contact page's form; the two fields at its end are the spam trap. */
export const contactForm = z.object({
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

type ContactForm = z.output<typeof contactForm>;

/** The limits for messages to us. Many people share the address of a mobile network. */
export const contactByClient: RateLimit = { name: "contact-client", max: 20, windowMs: hour };
export const contactByAddress: RateLimit = { name: "contact-address", max: 5, windowMs: hour };

export type Sending = {
  form: ContactForm;
  /** The person who was signed in while writing. */
  sender: { id: string; email: string } | null;
  /** The source of ticket numbers. */
  ticketOf?: () => string;
};

type Stored = typeof contactMessages.$inferSelect;
type Written = Omit<Stored, "searchText">;

/**
 * Stores a message to us under a ticket number, and mails it to support and a confirmation to its
 * sender. What a program seems to have written is only stored; the answer is the same.
 *
 * @returns the ticket number.
 */
export async function sendContactMessage(
  db: Database,
  product: Product,
  sending: Sending,
): Promise<string> {
  return db.transaction(async (tx) => {
    const stored = await insertMessage(tx, sending);
    if (!stored.isSuspected) {
      await queueMail(tx, buildContactMessageMail(product, stored));
      await queueContactConfirmation(tx, product, stored, sending.sender?.email === stored.email);
    }
    return stored.ticket;
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
      .insert(contactMessages)
      .values({
        ticket: ticketOf(),
        name,
        email,
        subject,
        message,
        senderId: sender?.id,
        isSuspected: isSuspectedSpam(form, createdAt),
        createdAt,
      })
      .onConflictDoNothing({ target: contactMessages.ticket })
      .returning();
    if (stored) return stored;
  }
  throw new Error("Five ticket numbers in a row were taken.");
}

/** The mail to support with a message to us. */
export function buildContactMessageMail(product: Product, written: Written): NewMail {
  return {
    cause: `contact:${written.id}`,
    to: product.supportEmail,
    replyTo: written.email,
    subject: `[${written.ticket}] ${written.subject}`,
    body: <ContactMessageMail product={product} written={written} />,
  };
}

/** At most one confirmation an hour goes to an address, since the sender may not own it. */
async function queueContactConfirmation(
  tx: Database,
  product: Product,
  stored: Stored,
  isOwnAddress: boolean,
): Promise<void> {
  const { id, email } = stored;
  if (!(await canConfirm(tx, email))) return;
  await tx
    .update(contactMessages)
    .set({ confirmedAt: stored.createdAt })
    .where(eq(contactMessages.id, id));
  await queueMail(tx, buildContactConfirmationMail(product, stored, isOwnAddress));
}

/**
 * The mail that confirms a message to us to its sender.
 *
 * @param isOwnAddress whether they were signed in with the address that they gave: then it repeats the message
 */
export function buildContactConfirmationMail(
  product: Product,
  written: Written,
  isOwnAddress: boolean,
): NewMail {
  const { id, email, ticket } = written;
  return {
    cause: `contact-confirmation:${id}`,
    to: email,
    subject: `We have your message (${ticket})`,
    body: <ContactConfirmationMail product={product} written={written} copies={isOwnAddress} />,
  };
}

/** Messages in the name of one address wait for each other here until the transaction ends. */
async function canConfirm(tx: Database, email: string): Promise<boolean> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`contact:${email}`}, 0))`);
  const lately = new Date(now().getTime() - hour);
  const confirmed = await tx.$count(
    contactMessages,
    and(eq(contactMessages.email, email), gt(contactMessages.confirmedAt, lately)),
  );
  return confirmed === 0;
}

/** Nobody types a subject and a message in less time. */
const shortestWriting = second;

/**
 * Checks whether a program sent this. `topic` is a field that people do not see. `renderedAt` is the time the
 * page was rendered; scripts clear it, so that a browser or clipboard that fills the form in is not mistaken
 * for a program.
 */
function isSuspectedSpam(trap: { topic: string; renderedAt: string }, moment: Date): boolean {
  if (trap.topic !== "") return true;
  if (trap.renderedAt === "") return false;
  const took = moment.getTime() - Number(trap.renderedAt);
  return !(took >= shortestWriting);
}

/** No vowels and nothing that looks like something else: to be read out on the phone. */
const alphabet = "23456789BCDFGHJKMNPQRSTVWXYZ";

/** A number to find a message again by, as in "T-7QK3-9FWM". */
export function generateTicket(): string {
  const random = Array.from({ length: 8 }, () => alphabet[randomInt(alphabet.length)]).join("");
  return `T-${random.slice(0, 4)}-${random.slice(4)}`;
}

const maxListed = 50;

type SuspectedMessage = Pick<
  typeof contactMessages.$inferSelect,
  "ticket" | "name" | "email" | "subject" | "message" | "createdAt"
>;

/** Lists the newest messages that looked like spam and were mailed to no one. For the operator only. */
export function listSuspectedMessages(db: Database): Promise<SuspectedMessage[]> {
  return db
    .select({
      ticket: contactMessages.ticket,
      name: contactMessages.name,
      email: contactMessages.email,
      subject: contactMessages.subject,
      message: contactMessages.message,
      createdAt: contactMessages.createdAt,
    })
    .from(contactMessages)
    .where(eq(contactMessages.isSuspected, true))
    .orderBy(desc(contactMessages.createdAt))
    .limit(maxListed);
}

const messageRetention = 365 * day;
const spamRetention = 30 * day;

/** Forgets messages to us after a year; those that were taken for spam, after a month. */
export function deleteExpiredMessages(db: Database): Promise<number> {
  const before = (age: number) => lt(contactMessages.createdAt, new Date(now().getTime() - age));
  const isOver = or(
    before(messageRetention),
    and(contactMessages.isSuspected, before(spamRetention)),
  );
  return deleteRowsInSteps(db, contactMessages, contactMessages.id, isOver);
}
