/** What a refund passes through, and on what grounds; safe for the browser. */
import { day, hour } from "../platform/clock.ts";

/**
 * `asked`: an admin has to decide. `approved`: ours to send to the provider. `sent`: the provider has taken it up.
 * `settled`: the money is on its way back. `failed`: the provider refused it. `declined`: an admin did.
 */
export const refundStates = ["asked", "approved", "sent", "settled", "failed", "declined"] as const;
export type RefundState = (typeof refundStates)[number];

/**
 * Why: nobody has begun; it was not there in time; the customer is not content with what was delivered; an
 * admin's own decision about a payment, also one that bought nothing.
 */
export const refundGrounds = ["not begun", "overdue", "delivered", "decided"] as const;
export type RefundGrounds = (typeof refundGrounds)[number];

/** Within this an admin decides what was asked for. */
export const decidedWithin = 48 * hour;

/** Approved money is promised in so many days; what takes longer than a week somebody has to look into. */
export const refundTakes = "3 to 5 days";
export const overdueAfter = 7 * day;

export const longestReason = 500;

/** What its customer reads of a refund. One that failed is ours to try again: to them it is under way. */
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
