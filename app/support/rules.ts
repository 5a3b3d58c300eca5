/** The states, kinds and deadlines of a message, and the query of the message list; pure, safe for the browser. */
import { day, hour } from "../platform/clock.ts";
import { writeQuery } from "../platform/lists/lists.ts";
import type { OwnPath } from "../platform/own-path.ts";
import type { Tone } from "../ui/layout/card.tsx";
import { parseSearch } from "../ui/list/search.ts";

export const messageStates = ["open", "answered", "closed"] as const;
export type MessageState = (typeof messageStates)[number];

export const messageKinds = ["question", "complaint", "privacy"] as const;
export type MessageKind = (typeof messageKinds)[number];

/** The intent of the form on a message's own page that changes its kind. */
export const kindIntent = "kind";

export const kindLabels: Record<MessageKind, string> = {
  question: "Question",
  complaint: "Complaint",
  privacy: "Request about my data",
};

/** Things that an admin can link a message to. */
export const linkedKinds = ["order", "review", "job"] as const;
export type LinkedKind = (typeof linkedKinds)[number];

/** A person reads each message, and each follow-up, within this time. */
export const acknowledgeWithin = 48 * hour;
/** Admins get an email about a message that nobody has read by then. */
export const warnUnacknowledgedAfter = 36 * hour;
/** Admins get an email about a message that is not settled by then. */
export const warnUnsettledAfter = 25 * day;
/** The writer can reopen a closed message for this long. A message is closed this long after an unanswered reply. */
export const reopenPeriod = 14 * day;

/** Returns the time one calendar month later; on the last day of a shorter month. */
export function addMonth(moment: Date): Date {
  const later = new Date(moment);
  later.setUTCMonth(moment.getUTCMonth() + 1);
  if (later.getUTCDate() !== moment.getUTCDate()) later.setUTCDate(0);
  return later;
}

/** Recent messages that met a deadline, and all that met or missed it. */
export type DeadlineCount = { inTime: number; total: number };

/** The number of days that these figures count. */
export const messageFiguresDays = 90;

export const messageLists = [
  "open",
  "overdue",
  "mine",
  "answered",
  "closed",
  "spam",
  "all",
] as const;
export type MessageList = (typeof messageLists)[number];

/** The lists whose first messages are due first. The other lists start with the newest. */
export const dueLists: ReadonlySet<MessageList> = new Set(["open", "overdue", "mine", "answered"]);

export const listLabels: Record<MessageList, string> = {
  open: "Open",
  overdue: "Overdue",
  mine: "Mine",
  answered: "Replied",
  closed: "Closed",
  spam: "Spam",
  all: "All",
};

/** The states as the writer of a message reads them. */
export const writerStateLabels: Record<MessageState, string> = {
  open: "We're looking into it",
  answered: "We replied",
  closed: "Closed",
};

export const stateTones: Record<MessageState, Tone> = {
  open: "neutral",
  answered: "success",
  closed: "outline",
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

export function buildMessagesAddress({ list, search, after }: MessagesQuery): OwnPath {
  return `/admin/messages${writeQuery({ state: list === "open" ? null : list, search, after })}`;
}
