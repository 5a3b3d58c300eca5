/** Labels of orders and the query of their list; safe for the browser. */
import { formatDecisionReason } from "../../payments/decide.ts";
import type { RefundState } from "../../payments/refund-rules.ts";
import { writeQuery } from "../../platform/lists/lists.ts";
import type { OwnAddress } from "../../platform/own-path.ts";
import type { Tone } from "../../ui/layout/card.tsx";
import { parseSearch } from "../../ui/list/search.ts";

type BadgeProps = { label: string; tone: Tone };

export const orderBadges: Record<"pending" | "success" | "failed", BadgeProps> = {
  pending: { label: "Pending", tone: "neutral" },
  success: { label: "Paid", tone: "success" },
  failed: { label: "Failed", tone: "danger" },
};

/** Messages for the state of an order after checking it with PayU. */
export const orderCheckMessages = {
  pending: "The payment is still pending",
  success: "The payment is confirmed",
  failed: "The payment failed",
};

export const refundBadges: Record<RefundState, BadgeProps> = {
  asked: { label: "Refund requested", tone: "info" },
  approved: { label: "Refund approved", tone: "info" },
  sent: { label: "Refund under way", tone: "info" },
  settled: { label: "Refunded", tone: "neutral" },
  failed: { label: "Refund failed", tone: "danger" },
  declined: { label: "Refund declined", tone: "neutral" },
};

type RecordedEvent = { source: string; said: string; outcome: string; detail: unknown };

export function formatOrderEvent({ source, said, outcome, detail }: RecordedEvent): string {
  if (source === "start") return `Payment of ₹${said} started.`;
  if (source === "refund") return formatRefundEvent({ source, said, outcome, detail });
  const report = `${sources[source] ?? source} reported "${said}"`;
  if (outcome === "success") return `${report}. The order is paid.`;
  if (outcome === "failed") return `${report}. The order failed.`;
  const reason = extractText(detail, "reason");
  if (reason === "already paid") return `${report}. The order was already paid.`;
  return `${report}. Nothing changed. ${formatDecisionReason(reason)}`;
}

const sources: Record<string, string> = {
  return: "The customer's browser",
  notice: "A PayU webhook",
  verification: "A check with PayU",
};

function formatRefundEvent({ said, outcome, detail }: RecordedEvent): string {
  const by = extractText(detail, "by") ?? "an unknown person";
  const reason = extractText(detail, "reason") ?? extractText(detail, "answer");
  const quote = reason ? ` "${reason}"` : "";
  switch (outcome) {
    case "asked":
      return `Refund requested by ${by}.${quote}`;
    case "approved":
      if (said === "decided") return `Refunded by ${by}.${quote}`;
      if (said === "approval") return `Refund approved by ${by}.${quote}`;
      return `Refund for ${by} approved automatically: ${grounds[said] ?? said}.`;
    case "declined":
      return `Refund declined by ${by}.${quote}`;
    case "sent":
      return "PayU accepted the refund.";
    case "settled":
      return "PayU completed the refund.";
    case "failed":
      return `PayU reported that the refund failed${quote && `:${quote}`}.`;
    default:
      return said === "queued"
        ? "The refund is still in PayU's queue."
        : `The refund couldn't be processed:${quote || ` PayU answered "${said}"`}.`;
  }
}

const grounds: Record<string, string> = {
  "not begun": "no reviewer had started",
  overdue: "the review was late",
  "account closed": "their account is closed",
};

function extractText(detail: unknown, name: string): string | null {
  if (typeof detail !== "object" || detail === null) return null;
  const value = (detail as Record<string, unknown>)[name];
  return typeof value === "string" && value !== "" ? value : null;
}

/** The filters of the order list, by the state of the order or its refund. */
export const orderFilters = {
  pending: "Pending",
  success: "Paid",
  failed: "Failed",
  "refund-asked": "Refund requested",
  "refund-under-way": "Refund under way",
  "refund-failed": "Refund failed",
  refunded: "Refunded",
} as const;
type OrderFilter = keyof typeof orderFilters;

/** The refund states that each filter includes. */
export const refundFilters: Partial<Record<OrderFilter, RefundState[]>> = {
  "refund-asked": ["asked"],
  "refund-under-way": ["approved", "sent"],
  "refund-failed": ["failed"],
  refunded: ["settled"],
};

export type OrdersQuery = {
  /** Our transaction ID or PayU's, or part of a person's name or email address; "" finds all. */
  search: string;
  state: OrderFilter | null;
  /** The cursor of the page to show; null for the first. */
  after: string | null;
};

/** Invalid parameters are ignored. */
export function parseOrdersQuery(params: URLSearchParams): OrdersQuery {
  const state = params.get("state") ?? "";
  return {
    search: parseSearch(params),
    state: Object.hasOwn(orderFilters, state) ? (state as OrderFilter) : null,
    after: params.get("after") || null,
  };
}

/** Returns "?search=asha&state=refunded", without empty parameters. */
export function buildOrdersAddress(query: OrdersQuery): OwnAddress {
  return writeQuery(query) || ".";
}
