/** The states of a message and the query of the message list; pure, safe for the browser. */
import { writeQuery } from "../platform/lists.ts";
import type { Tone } from "../ui/layout/card.tsx";
import { parseSearch } from "../ui/list/search.ts";

export const messageStates = ["open", "answered", "closed"] as const;
export type MessageState = (typeof messageStates)[number];

export const messageLists = [...messageStates, "spam", "all"] as const;
export type MessageList = (typeof messageLists)[number];

export const listLabels: Record<MessageList, string> = {
  open: "Open",
  answered: "Replied",
  closed: "Closed",
  spam: "Spam",
  all: "All",
};

export const stateTones: Record<MessageState, Tone> = {
  open: "warning",
  answered: "success",
  closed: "neutral",
};

export type MessagesQuery = {
  list: MessageList;
  /** Part of a ticket number, name, email address or subject; "" finds all. */
  search: string;
  /** The cursor of the page to show; null for the first. */
  after: string | null;
};

/** Invalid parameters are ignored. */
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
