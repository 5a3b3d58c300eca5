/** What a refund passes through, and on what grounds; safe for the browser. */

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
