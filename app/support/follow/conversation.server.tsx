import { desc, eq } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { queueMail } from "../../mail/deliver-mail.server.ts";
import { day, hour, now } from "../../platform/clock.ts";
import type { Database } from "../../platform/database.server.ts";
import { Conflict, NotFound } from "../../platform/errors.ts";
import type { RateLimit } from "../../platform/rate-limit.server.ts";
import { lockMessage, listAnswers, type Message } from "../answer/read-message.server.ts";
import { reopened, startReadingClock, type SupportSettings } from "../send-message.server.tsx";
import { MessageMail } from "../emails.tsx";
import { type MessageKind, reopenPeriod } from "../rules.ts";
import { supportAnswers, supportMessages } from "../tables.server.ts";
import { buildTicketPath, type LinkKind, parseTicketToken } from "../ticket-links.server.ts";
import { countNoun } from "../../platform/count-noun.ts";

/** The limits for follow-ups: many people share an IP address, and a message has one writer. */
export const followUpByClient: RateLimit = { name: "follow-up-client", max: 40, windowMs: hour };
export const followUpByTicket: RateLimit = { name: "follow-up-ticket", max: 10, windowMs: hour };

/** A message as its writer sees it. */
export type Conversation = NonNullable<Awaited<ReturnType<typeof findConversation>>>;

/**
 * Finds the message that a link leads to, with its replies and follow-ups, oldest first.
 *
 * @returns null for a link that we didn't sign, and for a message that we no longer have
 */
export async function findConversation(db: Database, config: SupportSettings, token: string) {
  const link = parseTicketToken(config, token);
  if (!link) return null;
  const [message] = await db
    .select()
    .from(supportMessages)
    .where(eq(supportMessages.ticket, link.ticket));
  if (!message) return null;
  const { ticket, subject, email, kind, state, createdAt } = message;
  const { acknowledgedAt, acknowledgeBy, dueAt, settledAt } = message;
  const answers = await listAnswers(db, message.id);
  return {
    ticket,
    subject,
    message: message.message,
    email,
    kind,
    state,
    createdAt,
    acknowledgedAt,
    acknowledgeBy,
    dueAt,
    settledAt,
    entries: answers.map(({ id, at, isFromWriter, answer }) => ({
      id,
      at,
      isFromWriter,
      // Our replies have no text if the reader of the link didn't prove their address.
      text: isFromWriter || link.kind === "mailed" ? answer : null,
    })),
    /** Null unless it is closed. */
    reopenUntil: getReopenUntil(message),
  };
}

/** Returns until when a follow-up opens a closed message again; null for an open one. */
function getReopenUntil({ settledAt }: Pick<Message, "settledAt">): Date | null {
  return settledAt && new Date(settledAt.getTime() + reopenPeriod);
}

export const invalidLink = "This link isn't complete, or it's more than a year old.";

/** Returns the ticket number of a link. @throws {NotFound} for a link that we didn't sign. */
export function getLinkedTicket(config: SupportSettings, token: string): string {
  const link = parseTicketToken(config, token);
  if (!link) throw new NotFound(invalidLink);
  return link.ticket;
}

/**
 * Adds the writer's follow-up to their message and emails it to support. A closed message opens again. A person has
 * to read it, so that clock starts again if it has stopped.
 *
 * @param seen the number of replies and follow-ups that the writer could see
 * @throws {Conflict} when there is a new reply, or the message has been closed for too long.
 * @throws {NotFound} for a link that we didn't sign, and for a message that we no longer have.
 */
export async function addFollowUp(
  db: Database,
  config: SupportSettings,
  { token, text, seen }: { token: string; text: string; seen: number },
): Promise<void> {
  const ticket = getLinkedTicket(config, token);
  await db.transaction(async (tx) => {
    const message = await lockMessage(tx, ticket);
    const { id, state, name } = message;
    const at = now();
    const reopenUntil = getReopenUntil(message);
    if (reopenUntil && reopenUntil < at) throw new Conflict(closedForGood);
    if ((await tx.$count(supportAnswers, eq(supportAnswers.messageId, id))) !== seen)
      throw new Conflict("There is a new reply above. Read it, then send your message.");
    const [saved] = await tx
      .insert(supportAnswers)
      .values({ messageId: id, at, authorName: name, answer: text, isFromWriter: true })
      .returning({ id: supportAnswers.id });
    await tx
      .update(supportMessages)
      .set({
        state: "open",
        ...getReadingClock(message, at),
        ...(state === "closed" && reopened),
      })
      .where(eq(supportMessages.id, id));
    if (message.isSuspected) return;
    await queueMail(tx, {
      cause: `contact-follow-up:${saved!.id}`,
      to: config.product.supportEmail,
      replyTo: message.email,
      subject: `[${ticket}] ${message.subject}`,
      body: <MessageMail product={config.product} message={{ ...message, message: text }} />,
    });
  });
}

/** An unread message keeps its time, and one that was read late stays late in the figures. */
function getReadingClock({ acknowledgedAt, acknowledgeBy, wasReadLate }: Message, at: Date) {
  if (acknowledgedAt === null) return {};
  return {
    ...startReadingClock(at),
    wasReadLate: wasReadLate || acknowledgedAt > acknowledgeBy,
  };
}

const closedForGood = `This message was closed more than ${countNoun(reopenPeriod / day, "day")} ago. Please send us a new one from the contact page.`;

/**
 * Sets what the writer's message is about.
 *
 * @throws {NotFound} for a link that we didn't sign, and for a message that we no longer have.
 */
export async function changeOwnMessageKind(
  db: Database,
  config: SupportSettings,
  { token, kind }: { token: string; kind: MessageKind },
): Promise<void> {
  const ticket = getLinkedTicket(config, token);
  await db.transaction(async (tx) => {
    const { id } = await lockMessage(tx, ticket);
    await tx.update(supportMessages).set({ kind }).where(eq(supportMessages.id, id));
  });
}

export const maxOwnMessages = 50;

/** Lists the newest messages that a person sent while signed in. */
export async function listOwnMessages(db: Database, actor: Actor, config: SupportSettings) {
  const rows = await db
    .select({
      ticket: supportMessages.ticket,
      subject: supportMessages.subject,
      state: supportMessages.state,
      createdAt: supportMessages.createdAt,
      email: supportMessages.email,
    })
    .from(supportMessages)
    .where(eq(supportMessages.senderId, actor.id))
    .orderBy(desc(supportMessages.createdAt), desc(supportMessages.id))
    .limit(maxOwnMessages);
  return rows.map(({ email, ...row }) => {
    const kind: LinkKind = email === actor.email ? "mailed" : "shown";
    return { ...row, path: buildTicketPath(config, row.ticket, kind) };
  });
}
