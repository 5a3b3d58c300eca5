import { asc, eq, not, sql } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import { hasOpenAccount } from "../../accounts/sealed-accounts.server.ts";
import { profiles, users } from "../../accounts/tables.server.ts";
import type { MailState } from "../../mail/rules.ts";
import { mails } from "../../mail/tables.server.ts";
import { recordAuditEvents } from "../../platform/audit.server.ts";
import type { Database } from "../../platform/database.server.ts";
import { NotFound } from "../../platform/errors.ts";
import type { MessageState } from "../rules.ts";
import { supportAnswers, supportMessages } from "../tables.server.ts";

export type Message = typeof supportMessages.$inferSelect;

/** A reply or a follow-up. `mail` is the state of a reply's email, null once the email is deleted. */
export type Answer = {
  id: string;
  at: Date;
  authorName: string;
  answer: string;
  isFromWriter: boolean;
  mail: MailState | null;
};

/**
 * Reads a message with its replies and follow-ups, oldest first, and the admin who takes care of it.
 *
 * @throws {NotFound} when there is no such ticket.
 */
export async function getMessage(
  db: Database,
  actor: Actor | null,
  ticket: string,
): Promise<Message & { answers: Answer[]; owner: string | null }> {
  authorize(actor, "message.answer");
  const [row] = await db
    .select({
      message: supportMessages,
      name: writerName,
      email: writerEmail,
      owner: profiles.fullName,
    })
    .from(supportMessages)
    .leftJoin(profiles, eq(profiles.id, supportMessages.ownerId))
    .where(eq(supportMessages.ticket, ticket));
  if (!row) throw new NotFound(noTicket);
  const { message, ...visible } = row;
  return { ...message, ...visible, answers: await listAnswers(db, message.id) };
}

const isOfClosedAccount = not(hasOpenAccount(supportMessages.senderId));

/** The writer's name and address as staff see them. Those of a closed account are only used to answer. */
export const writerName = sql<string>`case when ${isOfClosedAccount} then 'Unknown User' else ${supportMessages.name} end`;
export const writerEmail = sql<string>`case when ${isOfClosedAccount} then '' else ${supportMessages.email} end`;

/** Lists the replies to a message and its follow-ups, oldest first. Check permission before calling it. */
export function listAnswers(db: Database, messageId: string): Promise<Answer[]> {
  return db
    .select({
      id: supportAnswers.id,
      at: supportAnswers.at,
      authorName: supportAnswers.authorName,
      answer: supportAnswers.answer,
      isFromWriter: supportAnswers.isFromWriter,
      mail: sql<MailState | null>`${mails.state}`,
    })
    .from(supportAnswers)
    .leftJoin(mails, eq(mails.cause, sql`'contact-answer:' || ${supportAnswers.id}`))
    .where(eq(supportAnswers.messageId, messageId))
    .orderBy(asc(supportAnswers.at), asc(supportAnswers.id));
}

const noTicket = "No message has this ticket number.";

/** Checks whether the writer was signed in with the address that they gave. Otherwise it may be anyone's. */
export async function hasOwnAddress(
  db: Database,
  { senderId, email }: Pick<Message, "senderId" | "email">,
): Promise<boolean> {
  if (!senderId) return false;
  const [sender] = await db
    .select({ email: users.email })
    .from(users)
    .where(eq(users.id, senderId));
  return sender?.email === email;
}

/**
 * Locks a message until the transaction ends.
 *
 * @throws {NotFound} when there is no such ticket.
 */
export async function lockMessage(tx: Database, ticket: string): Promise<Message> {
  const [message] = await tx
    .select()
    .from(supportMessages)
    .where(eq(supportMessages.ticket, ticket))
    .for("update");
  if (!message) throw new NotFound(noTicket);
  return message;
}

/** The audit log records state changes but no text, since messages are deleted after a year. */
export function recordStateChange(
  tx: Database,
  actor: Actor,
  event: string,
  { ticket, state }: Message,
  to: MessageState,
): Promise<void> {
  const subject = { type: "message", id: ticket };
  const states = { before: { status: state }, after: { status: to } };
  return recordAuditEvents(tx, [{ actor, event, subject, ...states }]);
}
