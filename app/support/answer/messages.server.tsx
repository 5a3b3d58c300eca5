import { and, asc, eq, not, sql, type SQL } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import { type NewMail, queueMail } from "../../mail/deliver-mail.server.ts";
import type { MailState } from "../../mail/rules.ts";
import { mails } from "../../mail/tables.server.ts";
import { recordAuditEvents } from "../../platform/audit.server.ts";
import { now, formatShortDate } from "../../platform/clock.ts";
import type { Config, Product } from "../../platform/config.server.ts";
import type { Database } from "../../platform/database.server.ts";
import { Conflict, NotFound } from "../../platform/errors.ts";
import {
  countUpTo,
  containsText,
  type ListPage,
  type Order,
  type Part,
  readFound,
  readPageOrLast,
} from "../../platform/list.server.ts";
import type { Count } from "../../platform/lists.ts";
import { truncateToCharacters } from "../../platform/text/cut-text.ts";
import { ContactAnswerMail } from "../emails.tsx";
import { type MessageList, messageLists, type MessagesQuery, type MessageState } from "../rules.ts";
import { contactAnswers, contactMessages } from "../tables.server.ts";

const messagesPerPage = 50;
const previewCharacters = 160;

type ListedMessage = {
  id: string;
  ticket: string;
  name: string;
  email: string;
  subject: string;
  /** The start of the message. */
  preview: string;
  state: MessageState;
  createdAt: Date;
};

/** Lists messages, newest first, in pages, and counts the messages in each list. */
export async function listMessages(
  db: Database,
  actor: Actor | null,
  { list, search, after }: MessagesQuery,
): Promise<ListPage<ListedMessage> & { counts: Record<MessageList, Count> }> {
  authorize(actor, "message.answer");
  const isMatch = and(
    inList[list],
    search ? containsText(contactMessages.searchText, search) : undefined,
  );
  const [page, counts] = await Promise.all([
    readPageOrLast(newestFirst, { cursor: after, size: messagesPerPage }, (part) =>
      search && isMatch
        ? readFound(db, contactMessages, isMatch, part, (source, page) =>
            listMessageRows(db, source, page),
          )
        : listMessageRows(db, contactMessages, { ...part, where: and(isMatch, part.where) }),
    ),
    countMessages(db),
  ]);
  return { ...page, counts };
}

const inList: Record<MessageList, SQL | undefined> = {
  open: hasMessageState("open"),
  answered: hasMessageState("answered"),
  closed: hasMessageState("closed"),
  spam: sql`${contactMessages.isSuspected}`,
  all: undefined,
};

function hasMessageState(state: MessageState): SQL | undefined {
  return and(not(contactMessages.isSuspected), eq(contactMessages.state, state));
}

async function listMessageRows(
  db: Database,
  source: typeof contactMessages,
  { where, orderBy, limit }: Part,
) {
  const rows = await db
    .select({
      id: contactMessages.id,
      ticket: contactMessages.ticket,
      name: contactMessages.name,
      email: contactMessages.email,
      subject: contactMessages.subject,
      preview: sql<string>`left(${contactMessages.message}, ${2 * previewCharacters})`,
      state: contactMessages.state,
      createdAt: contactMessages.createdAt,
    })
    .from(source)
    .where(where)
    .orderBy(...orderBy)
    .limit(limit);
  return rows.map((row) => ({
    ...row,
    preview: truncateToCharacters(row.preview, previewCharacters),
  }));
}

const newestFirst: Order<Pick<ListedMessage, "id" | "createdAt">> = {
  keys: [
    { by: contactMessages.createdAt, type: "timestamptz", of: ({ createdAt }) => createdAt },
    { by: contactMessages.id, type: "uuid", of: ({ id }) => id },
  ],
  direction: "desc",
};

async function countMessages(db: Database): Promise<Record<MessageList, Count>> {
  const counts = await Promise.all(
    messageLists.map(async (list) => [list, await countUpTo(db, contactMessages, inList[list])]),
  );
  return Object.fromEntries(counts) as Record<MessageList, Count>;
}

type Message = typeof contactMessages.$inferSelect;

/** A reply to a message. `mail` is the state of its email, null once the email is deleted. */
export type Answer = {
  id: string;
  at: Date;
  authorName: string;
  answer: string;
  mail: MailState | null;
};

/**
 * Reads a message with its replies, oldest first.
 *
 * @throws {NotFound} when there is no such ticket.
 */
export async function getMessage(
  db: Database,
  actor: Actor | null,
  ticket: string,
): Promise<Message & { answers: Answer[] }> {
  authorize(actor, "message.answer");
  const [message] = await db
    .select()
    .from(contactMessages)
    .where(eq(contactMessages.ticket, ticket));
  if (!message) throw new NotFound(noTicket);
  const answers = await db
    .select({
      id: contactAnswers.id,
      at: contactAnswers.at,
      authorName: contactAnswers.authorName,
      answer: contactAnswers.answer,
      mail: sql<MailState | null>`${mails.state}`,
    })
    .from(contactAnswers)
    .leftJoin(mails, eq(mails.cause, sql`'contact-answer:' || ${contactAnswers.id}`))
    .where(eq(contactAnswers.messageId, message.id))
    .orderBy(asc(contactAnswers.at), asc(contactAnswers.id));
  return { ...message, answers };
}

const noTicket = "No message has this ticket number.";

/**
 * Replies to a message by email, with its ticket number in the subject, and saves the reply. Replying to spam
 * makes it a normal message.
 *
 * @param seen the number of replies that the author could see
 * @throws {Conflict} when another person has replied meanwhile.
 * @throws {NotFound} when there is no such ticket.
 */
export async function answerMessage(
  db: Database,
  actor: Actor | null,
  { ticket, answer, seen }: { ticket: string; answer: string; seen: number },
  { product }: Pick<Config, "product">,
): Promise<void> {
  authorize(actor, "message.answer");
  await db.transaction(async (tx) => {
    const message = await lockMessage(tx, ticket);
    const { id, state } = message;
    const answerCount = await tx.$count(contactAnswers, eq(contactAnswers.messageId, id));
    if (answerCount !== seen)
      throw new Conflict("Someone else just replied. Read their reply above, then send yours.");
    const [saved] = await tx
      .insert(contactAnswers)
      .values({
        messageId: id,
        at: now(),
        authorName: actor.fullName ?? "Unnamed User",
        answer,
      })
      .returning({ id: contactAnswers.id });
    await tx
      .update(contactMessages)
      .set({ state: "answered", isSuspected: false })
      .where(eq(contactMessages.id, id));
    await recordStateChange(tx, actor, "message.answer", message, { from: state, to: "answered" });
    await queueMail(tx, buildContactAnswerMail(product, message, { id: saved!.id, answer }));
  });
}

/** Builds the email with a reply to the sender of a message. */
export function buildContactAnswerMail(
  product: Product,
  { ticket, email, subject, createdAt }: Omit<Message, "searchText">,
  { id, answer }: { id: string; answer: string },
): NewMail {
  return {
    cause: `contact-answer:${id}`,
    to: email,
    replyTo: product.supportEmail,
    subject: `Re: [${ticket}] ${subject}`,
    body: (
      <ContactAnswerMail
        product={product}
        ticket={ticket}
        writtenOn={formatShortDate(createdAt)}
        answer={answer}
      />
    ),
  };
}

/**
 * Closes or reopens a message. A reopened spam message is no longer spam.
 *
 * @throws {Conflict} when it is already closed or open.
 * @throws {NotFound} when there is no such ticket.
 */
export async function changeMessageState(
  db: Database,
  actor: Actor | null,
  { ticket, state }: { ticket: string; state: "open" | "closed" },
): Promise<void> {
  authorize(actor, "message.answer");
  await db.transaction(async (tx) => {
    const message = await lockMessage(tx, ticket);
    const { id, state: previous, isSuspected } = message;
    if (previous === state && !isSuspected) throw new Conflict(`This message is already ${state}.`);
    await tx
      .update(contactMessages)
      .set({ state, ...(state === "open" && { isSuspected: false }) })
      .where(eq(contactMessages.id, id));
    const event = state === "open" ? "message.reopen" : "message.close";
    await recordStateChange(tx, actor, event, message, { from: previous, to: state });
  });
}

/**
 * Saves an internal note for a message.
 *
 * @param seen the note that the author could see
 * @throws {Conflict} when another person has changed it meanwhile.
 * @throws {NotFound} when there is no such ticket.
 */
export async function saveMessageNote(
  db: Database,
  actor: Actor | null,
  { ticket, note, seen }: { ticket: string; note: string; seen: string },
): Promise<void> {
  authorize(actor, "message.answer");
  await db.transaction(async (tx) => {
    const message = await lockMessage(tx, ticket);
    if (message.note === note) return;
    if (message.note !== seen)
      throw new Conflict(
        message.note
          ? `Someone else changed the note to: ${message.note}`
          : "Someone else deleted the note.",
      );
    await tx.update(contactMessages).set({ note }).where(eq(contactMessages.id, message.id));
  });
}

async function lockMessage(tx: Database, ticket: string): Promise<Message> {
  const [message] = await tx
    .select()
    .from(contactMessages)
    .where(eq(contactMessages.ticket, ticket))
    .for("update");
  if (!message) throw new NotFound(noTicket);
  return message;
}

/** The audit log records state changes but no text, since messages are deleted after a year. */
function recordStateChange(
  tx: Database,
  actor: Actor,
  event: string,
  { ticket }: Message,
  { from, to }: { from: MessageState; to: MessageState },
): Promise<void> {
  const subject = { type: "message", id: ticket };
  const states = { before: { status: from }, after: { status: to } };
  return recordAuditEvents(tx, [{ actor, event, subject, ...states }]);
}
