/** The labels of orders and the query of their list; safe for the browser. */
import { formatUnsettledReason } from "../../payments/decide.ts";
import type { RefundState } from "../../payments/refund-rules.ts";
import { writeQuery } from "../../platform/lists.ts";
import type { Tone } from "../../ui/layout/card.tsx";
import { parseSearch } from "../../ui/list/search.ts";

type Look = { label: string; tone: Tone };

/** Labels for the state of an order. */
export const orderLooks: Record<"pending" | "success" | "failed", Look> = {
  pending: { label: "Pending", tone: "warning" },
  success: { label: "Paid", tone: "success" },
  failed: { label: "Failed", tone: "danger" },
};

/** Messages for an order after the provider was asked again. */
export const orderCheckMessages = {
  pending: "It is still pending",
  success: "It is paid and delivered",
  failed: "It has failed",
};

/** Labels for the state of a refund, for an admin. */
export const refundLooks: Record<RefundState, Look> = {
  asked: { label: "Refund asked for", tone: "warning" },
  approved: { label: "Refund to be sent", tone: "info" },
  sent: { label: "Refund under way", tone: "info" },
  settled: { label: "Refunded", tone: "neutral" },
  failed: { label: "Refund failed", tone: "danger" },
  declined: { label: "Refund declined", tone: "neutral" },
};

type RecordedEvent = { source: string; said: string; outcome: string; detail: unknown };

/** One event of an order as a sentence. */
export function formatOrderEvent({ source, said, outcome, detail }: RecordedEvent): string {
  if (source === "start") return `A payment of ₹${said} was begun.`;
  if (source === "refund") return formatRefundEvent({ source, said, outcome, detail });
  const told = `${sources[source] ?? source} said "${said}"`;
  if (outcome === "success") return `${told}: the order is paid.`;
  if (outcome === "failed") return `${told}: the order failed.`;
  const reason = extractText(detail, "reason");
  if (reason === "already paid") return `${told}: it was paid already.`;
  return `${told}: nothing changed. ${formatUnsettledReason(reason)}`;
}

const sources: Record<string, string> = {
  return: "The payer's return",
  notice: "A notice of the provider",
  verification: "The provider, when asked,",
};

function formatRefundEvent({ said, outcome, detail }: RecordedEvent): string {
  const by = extractText(detail, "by") ?? "somebody";
  const reason = extractText(detail, "reason") ?? extractText(detail, "answer");
  const words = reason ? ` "${reason}"` : "";
  switch (outcome) {
    case "asked":
      return `A refund was asked for by ${by}.${words}`;
    case "approved":
      if (said === "decided") return `A refund was decided by ${by}.${words}`;
      if (said === "approval") return `The refund was approved by ${by}.${words}`;
      return `A refund was granted at once to ${by}: ${grounds[said] ?? said}.`;
    case "declined":
      return `The refund was declined by ${by}.${words}`;
    case "sent":
      return "The provider took the refund up.";
    case "settled":
      return "The provider says that the refund is settled.";
    case "failed":
      return `The provider says that the refund failed${words && `:${words}`}.`;
    default:
      return said === "queued"
        ? "The provider still has the refund in its queue."
        : `The refund could not be taken further:${words || ` the provider said "${said}"`}.`;
  }
}

const grounds: Record<string, string> = {
  "not begun": "nobody had begun",
  overdue: "it was not there in time",
};

function extractText(detail: unknown, name: string): string | null {
  if (typeof detail !== "object" || detail === null) return null;
  const value = (detail as Record<string, unknown>)[name];
  return typeof value === "string" && value !== "" ? value : null;
}

/** The filters of the order list: by the state of the order or of its refund. */
export const orderFilters = {
  pending: "Pending",
  success: "Paid",
  failed: "Failed",
  "refund-asked": "Refund asked for",
  "refund-under-way": "Refund under way",
  "refund-failed": "Refund failed",
  refunded: "Refunded",
} as const;
type OrderFilter = keyof typeof orderFilters;

/** Which states of a refund a filter means. */
export const refundFilters: Partial<Record<OrderFilter, RefundState[]>> = {
  "refund-asked": ["asked"],
  "refund-under-way": ["approved", "sent"],
  "refund-failed": ["failed"],
  refunded: ["settled"],
};

export type OrdersQuery = {
  /** A transaction, ours or the provider's, or part of a person's name or address; "" finds all. */
  search: string;
  state: OrderFilter | null;
  /** The cursor of the page to show; null is the first. */
  after: string | null;
};

/** Anything that is not understood counts as absent. */
export function parseOrdersQuery(params: URLSearchParams): OrdersQuery {
  const state = params.get("state") ?? "";
  return {
    search: parseSearch(params),
    state: Object.hasOwn(orderFilters, state) ? (state as OrderFilter) : null,
    after: params.get("after") || null,
  };
}

/** "?search=asha&state=refunded": only what is asked for. */
export function buildOrdersAddress(query: OrdersQuery): string {
  return writeQuery(query) || ".";
}
