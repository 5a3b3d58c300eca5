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
/** In characters. */
const previewLength = 160;

type ListedMessage = {
  id: string;
  ticket: string;
  name: string;
  email: string;
  subject: string;
  /** The beginning of it. */
  preview: string;
  state: MessageState;
  createdAt: Date;
};

/** Lists what people wrote to us, the newest first, in pages, and counts what each list holds. */
export async function listMessages(
  db: Database,
  actor: Actor | null,
  { list, search, after }: MessagesQuery,
): Promise<ListPage<ListedMessage> & { counts: Record<MessageList, Count> }> {
  authorize(actor, "message.answer");
  const isFound = and(
    inList[list],
    search ? containsText(contactMessages.searchText, search) : undefined,
  );
  const [page, counts] = await Promise.all([
    readPageOrLast(newestFirst, { cursor: after, size: messagesPerPage }, (part) =>
      search && isFound
        ? readFound(db, contactMessages, isFound, part, (source, its) =>
            listMessageRows(db, source, its),
          )
        : listMessageRows(db, contactMessages, { ...part, where: and(isFound, part.where) }),
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
      preview: sql<string>`left(${contactMessages.message}, ${2 * previewLength})`,
      state: contactMessages.state,
      createdAt: contactMessages.createdAt,
    })
    .from(source)
    .where(where)
    .orderBy(...orderBy)
    .limit(limit);
  return rows.map((row) => ({ ...row, preview: truncateToCharacters(row.preview, previewLength) }));
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

/** An answer, its author and date, and the state of its mail; null when the mail is deleted. */
export type Answer = {
  id: string;
  at: Date;
  authorName: string;
  answer: string;
  mail: MailState | null;
};

/**
 * Reads a message to us with its answers, the oldest first.
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

const noTicket = "There is no message with this ticket number.";

/**
 * Answers a message by mail, with its ticket number in the subject, and saves the answer. Answering a message
 * that was marked as spam makes it a normal message.
 *
 * @param seen how many answers the writer had before their eyes
 * @throws {Conflict} when somebody else has answered meanwhile.
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
    const answered = await tx.$count(contactAnswers, eq(contactAnswers.messageId, id));
    if (answered !== seen)
      throw new Conflict("Somebody has answered meanwhile. Read it above, then send yours.");
    const [kept] = await tx
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
    await queueMail(tx, buildContactAnswerMail(product, message, { id: kept!.id, answer }));
  });
}

/** The mail that brings an answer to the sender of a message. */
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
 * Closes a message that needs nothing more, or reopens it. A reopened spam message is no longer spam.
 *
 * @throws {Conflict} when it is closed or open already.
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
    const { id, state: former, isSuspected } = message;
    if (former === state && !isSuspected) throw new Conflict(`It is ${state} already.`);
    await tx
      .update(contactMessages)
      .set({ state, ...(state === "open" && { isSuspected: false }) })
      .where(eq(contactMessages.id, id));
    const event = state === "open" ? "message.reopen" : "message.close";
    await recordStateChange(tx, actor, event, message, { from: former, to: state });
  });
}

/**
 * Keeps a note beside a message, which only those who answer read.
 *
 * @param seen the note that the writer had before their eyes
 * @throws {Conflict} when somebody else has changed it meanwhile.
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
        `Somebody has changed the note meanwhile, to: ${message.note || "nothing"}`,
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

/** The history tells what became of a message, never what stood in it: messages are forgotten. */
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
