/** The states and grounds of a refund; safe for the browser. */
import { day, hour } from "../platform/clock.ts";

/**
 * `asked`: an admin has to decide. `approved`: ours to send to the provider. `sent`: the provider has taken it up.
 * `settled`: the money is on its way back. `failed`: the provider refused it. `declined`: an admin did.
 */
export const refundStates = ["asked", "approved", "sent", "settled", "failed", "declined"] as const;
export type RefundState = (typeof refundStates)[number];

/**
 * The grounds: work has not started; the review was late; the customer is unhappy with the delivered review; an
 * admin's own decision about a payment, even one without a purchase.
 */
export const refundGrounds = ["not begun", "overdue", "delivered", "decided"] as const;
export type RefundGrounds = (typeof refundGrounds)[number];

/** Within this an admin decides what was asked for. */
export const decidedWithin = 48 * hour;

/** The promised time of an approved refund. After a week someone has to look into it. */
export const refundTakes = "3 to 5 days";
export const overdueAfter = 7 * day;

export const longestReason = 500;

/** Formats a refund's state for its customer. A failed one is ours to retry, so it still reads as under way. */
export function refundCopy(state: RefundState): string {
  return copy[state];
}

const copy: Record<RefundState, string> = {
  asked: "Refund asked for",
  approved: "Refund under way",
  sent: "Refund under way",
  settled: "Refunded",
  failed: "Refund under way",
  declined: "Refund declined",
};
