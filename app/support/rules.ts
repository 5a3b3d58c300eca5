/** The states of a message and the query of the message list; pure, safe for the browser. */
import { writeQuery } from "../platform/lists.ts";
import type { Tone } from "../ui/layout/card.tsx";
import { parseSearch } from "../ui/list/search.ts";

/** Not answered yet; answered by mail; nothing left to do. */
export const messageStates = ["open", "answered", "closed"] as const;
export type MessageState = (typeof messageStates)[number];

export const messageLists = [...messageStates, "spam", "all"] as const;
export type MessageList = (typeof messageLists)[number];

export const listLabels: Record<MessageList, string> = {
  open: "Open",
  answered: "Answered",
  closed: "Closed",
  spam: "Taken for spam",
  all: "All",
};

export const stateTones: Record<MessageState, Tone> = {
  open: "warning",
  answered: "success",
  closed: "neutral",
};

export type MessagesQuery = {
  list: MessageList;
  /** Part of a ticket number, a name, an address or a subject; "" finds all. */
  search: string;
  /** The cursor of the page to show; null is the first. */
  after: string | null;
};

/** Anything that is not understood counts as absent. */
export function parseMessagesQuery(params: URLSearchParams): MessagesQuery {
  return {
    list: messageLists.find((list) => list === params.get("state")) ?? "open",
    search: parseSearch(params),
    after: params.get("after") || null,
  };
}

export function buildMessagesAddress({ list, search, after }: MessagesQuery): string {
  return `/admin/messages${writeQuery({ state: list === "open" ? null : list, search, after })}`;
}
