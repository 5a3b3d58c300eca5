/** What becomes of a message to us, and what the address of their list asks for; pure, safe for the browser. */
import type { Tone } from "../ui/layout/card.tsx";

/** Nobody has answered yet, an answer was mailed, nothing is left to do. */
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

export const longestMessageSearch = 200;

/** Anything that is not understood counts as absent. */
export function readMessagesQuery(params: URLSearchParams): MessagesQuery {
  return {
    list: messageLists.find((list) => list === params.get("state")) ?? "open",
    search: (params.get("search") ?? "")
      .trim()
      .slice(0, longestMessageSearch)
      .replaceAll("\u0000", ""),
    after: params.get("after") || null,
  };
}

export function messagesAddress({ list, search, after }: MessagesQuery): string {
  const params = new URLSearchParams();
  if (list !== "open") params.set("state", list);
  if (search) params.set("search", search);
  if (after) params.set("after", after);
  return `/admin/messages${params.size > 0 ? `?${params.toString()}` : ""}`;
}
