import { and, eq, isNotNull, lt, not, sql, type SQL } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import { profiles } from "../../accounts/tables.server.ts";
import { now } from "../../platform/clock.ts";
import type { Database } from "../../platform/database.server.ts";
import {
  buildOrder,
  countUpTo,
  containsText,
  type ListPage,
  type Part,
  readFound,
  readPageOrLast,
} from "../../platform/lists/list.server.ts";
import type { Count } from "../../platform/lists/lists.ts";
import { truncateToCharacters } from "../../platform/text/cut-text.ts";
import {
  dueLists,
  type MessageKind,
  type MessageList,
  messageLists,
  type MessagesQuery,
  type MessageState,
} from "../rules.ts";
import { supportMessages } from "../tables.server.ts";
import { writerEmail, writerName } from "./read-message.server.ts";

const messagesPerPage = 50;
const previewCharacters = 160;

export type ListedMessage = {
  id: string;
  ticket: string;
  name: string;
  email: string;
  subject: string;
  /** The start of the message. */
  preview: string;
  kind: MessageKind;
  state: MessageState;
  isSuspected: boolean;
  createdAt: Date;
  /** The next deadline; null for a closed message. */
  nextDueAt: Date | null;
  isAcknowledged: boolean;
  /** The name of the admin who takes care of it. */
  owner: string | null;
  /** True if a mail server rejected one of our replies. */
  hasUndelivered: boolean;
};

/** Lists messages in pages and counts the messages in each list. Open messages are sorted by their next deadline. */
export async function listMessages(
  db: Database,
  actor: Actor | null,
  { list, search, after }: MessagesQuery,
): Promise<ListPage<ListedMessage> & { counts: Record<MessageList, Count> }> {
  authorize(actor, "message.answer");
  const inList = buildConditions(actor);
  const isMatch = and(
    inList[list],
    search ? containsText(supportMessages.searchText, search) : undefined,
  );
  const order = dueLists.has(list) ? dueFirst : newestFirst;
  const [page, counts] = await Promise.all([
    readPageOrLast(order, { cursor: after, size: messagesPerPage }, (part) =>
      search && isMatch
        ? readFound(db, supportMessages, isMatch, part, (source, page) =>
            listMessageRows(db, source, page),
          )
        : listMessageRows(db, supportMessages, { ...part, where: and(isMatch, part.where) }),
    ),
    countMessages(db, inList),
  ]);
  return { ...page, counts };
}

type Conditions = Record<MessageList, SQL | undefined>;

function buildConditions(actor: Actor): Conditions {
  const isNotSpam = not(supportMessages.isSuspected);
  const hasState = (state: MessageState) => and(isNotSpam, eq(supportMessages.state, state));
  return {
    open: hasState("open"),
    overdue: and(isNotSpam, lt(supportMessages.nextDueAt, now())),
    mine: and(
      isNotSpam,
      eq(supportMessages.ownerId, actor.id),
      isNotNull(supportMessages.nextDueAt),
    ),
    answered: hasState("answered"),
    closed: hasState("closed"),
    spam: sql`${supportMessages.isSuspected}`,
    all: undefined,
  };
}

async function listMessageRows(
  db: Database,
  source: typeof supportMessages,
  { where, orderBy, limit }: Part,
): Promise<ListedMessage[]> {
  const rows = await db
    .select({
      id: supportMessages.id,
      ticket: supportMessages.ticket,
      name: writerName,
      email: writerEmail,
      subject: supportMessages.subject,
      preview: sql<string>`left(${supportMessages.message}, ${2 * previewCharacters})`,
      kind: supportMessages.kind,
      state: supportMessages.state,
      isSuspected: supportMessages.isSuspected,
      createdAt: supportMessages.createdAt,
      nextDueAt: supportMessages.nextDueAt,
      isAcknowledged: sql<boolean>`${supportMessages.acknowledgedAt} is not null`,
      owner: profiles.fullName,
      hasUndelivered: sql<boolean>`exists (select from contact_answers as reply
        join mails on mails.cause = 'contact-answer:' || reply.id
        where reply.message_id = ${supportMessages.id} and mails.state = 'given-up')`,
    })
    .from(source)
    .leftJoin(profiles, eq(profiles.id, supportMessages.ownerId))
    .where(where)
    .orderBy(...orderBy)
    .limit(limit);
  return rows.map((row) => ({
    ...row,
    preview: truncateToCharacters(row.preview, previewCharacters),
  }));
}

const newestFirst = buildOrder("desc", {
  createdAt: supportMessages.createdAt,
  id: supportMessages.id,
});

// Only closed messages have no next deadline, and none of these lists has closed messages.
const dueFirst = buildOrder(
  "asc",
  { nextDueAt: supportMessages.nextDueAt, id: supportMessages.id },
  "due",
);

async function countMessages(db: Database, inList: Conditions) {
  const counts = await Promise.all(
    messageLists.map(async (list) => [list, await countUpTo(db, supportMessages, inList[list])]),
  );
  return Object.fromEntries(counts) as Record<MessageList, Count>;
}
