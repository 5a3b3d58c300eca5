/** What the address of the list of orders asks for; safe for the browser. */
import type { RefundState } from "../../payments/refunds/rules.ts";

/** What an order can be filtered by: how it stands itself, or how its refund does. */
export const orderFilters = {
  pending: "Pending",
  success: "Paid",
  failed: "Failed",
  "refund-asked": "Refund asked for",
  "refund-under-way": "Refund under way",
  "refund-failed": "Refund failed",
  refunded: "Refunded",
} as const;
export type OrderFilter = keyof typeof orderFilters;

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

export const longestOrderSearch = 200;

/** Anything that is not understood counts as absent. */
export function readOrdersQuery(params: URLSearchParams): OrdersQuery {
  const state = params.get("state") ?? "";
  return {
    search: (params.get("search") ?? "")
      .trim()
      .slice(0, longestOrderSearch)
      .replaceAll("\u0000", ""),
    state: Object.hasOwn(orderFilters, state) ? (state as OrderFilter) : null,
    after: params.get("after") || null,
  };
}

/** "?search=asha&state=refunded": only what is asked for. */
export function ordersAddress(query: OrdersQuery): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value) params.set(name, value);
  const text = params.toString();
  return text ? `?${text}` : ".";
}
