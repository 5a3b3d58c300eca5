/** The states and grounds of a refund; safe for the browser. */
import { day, hour } from "../platform/clock.ts";

/**
 * `asked`: an admin has to decide. `approved`: to be sent to the provider. `sent`: the provider accepted it.
 * `settled`: the money is on its way. `failed`: the provider rejected it. `declined`: an admin declined it.
 */
export const refundStates = ["asked", "approved", "sent", "settled", "failed", "declined"] as const;
export type RefundState = (typeof refundStates)[number];

/**
 * `not begun`: no reviewer has started. `overdue`: the review was late. `delivered`: the customer is unhappy with
 * the delivered review. `decided`: an admin refunds a payment, even one without a purchase. `account closed`: it was paid
 * after the buyer had closed the account.
 */
export const refundGrounds = [
  "not begun",
  "overdue",
  "delivered",
  "decided",
  "account closed",
] as const;
export type RefundGrounds = (typeof refundGrounds)[number];

/** The time for an admin to decide on a request. */
export const decidedWithin = 48 * hour;

/** The promised time of an approved refund. After a week an admin has to resolve it. */
export const refundTakes = "3 to 5 days";
export const overdueAfter = 7 * day;

export const maxReasonLength = 500;

/** Formats a refund's state for its customer. We retry a failed refund, so it still reads as in progress. */
export function formatRefundState(state: RefundState): string {
  return labels[state];
}

const labels: Record<RefundState, string> = {
  asked: "Refund requested",
  approved: "Refund in progress",
  sent: "Refund in progress",
  settled: "Refunded",
  failed: "Refund in progress",
  declined: "Refund declined",
};
