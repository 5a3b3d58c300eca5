import { and, eq, not, type SQL, sql } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import type { Database } from "../../platform/database.server.ts";
import {
  countUpTo,
  holds,
  type ListPage,
  type Order,
  type Part,
  readFound,
  readPage,
} from "../../platform/list.server.ts";
import type { Count } from "../../platform/lists.ts";
import { type MessageList, messageLists, type MessagesQuery, type MessageState } from "../rules.ts";
import { contactMessages } from "../tables.server.ts";

export const messagesPerPage = 50;

export type ListedMessage = {
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
    search ? holds(contactMessages.searchText, search, (words) => sql`lower(${words})`) : undefined,
  );
  const [page, counts] = await Promise.all([
    readPage(newestFirst, { cursor: after, size: messagesPerPage }, (part) =>
      search && isFound
        ? readFound(db, contactMessages, isFound, part, (source, its) => read(db, source, its))
        : read(db, contactMessages, { ...part, where: and(isFound, part.where) }),
    ),
    countMessages(db),
  ]);
  return { ...page, counts };
}

const { isSuspected, state } = contactMessages;

const inList: Record<MessageList, SQL | undefined> = {
  open: and(not(isSuspected), eq(state, "open")),
  answered: and(not(isSuspected), eq(state, "answered")),
  closed: and(not(isSuspected), eq(state, "closed")),
  spam: sql`${isSuspected}`,
  all: undefined,
};

function read(db: Database, source: typeof contactMessages, { where, orderBy, limit }: Part) {
  return db
    .select({
      id: contactMessages.id,
      ticket: contactMessages.ticket,
      name: contactMessages.name,
      email: contactMessages.email,
      subject: contactMessages.subject,
      preview: sql<string>`left(${contactMessages.message}, 160)`,
      state: contactMessages.state,
      createdAt: contactMessages.createdAt,
    })
    .from(source)
    .where(where)
    .orderBy(...orderBy)
    .limit(limit);
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
