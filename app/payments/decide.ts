import { hasExpired } from "./order-expiry.ts";
import type { Callback, Verification } from "./payu.server.ts";

/** The decision on an order and its reason. `become: null` leaves the order unchanged. */
export type Decision =
  | { become: "success"; paymentId: string; reason: "verified" | "signed" }
  | { become: "failed"; reason: "verified" | "signed" | "never begun" }
  | { become: null; reason: "wrong amount" | "disagreement" | "undecided" | "unreachable" };

type OpenOrder = { orderId: string; amountPaise: number; createdAt: Date };

/**
 * Compares the claim of a signed callback with the provider's answer to a status request.
 *
 * The provider's answer decides. The callback alone counts only while the provider is unreachable, and only if
 * it names this order, this amount and this merchant.
 */
export function getDecision(
  order: OpenOrder,
  callback: Callback | null,
  verification: Verification,
  moment: Date,
): Decision {
  const claim = callback?.keyMatches && callback.txnId === order.orderId ? callback : null;
  const exact = claim?.amountPaise === order.amountPaise;
  const claimsSuccess = claim?.status === "success";

  if (verification.outcome === "success") {
    if (verification.amountPaise !== order.amountPaise) return wrongAmount;
    return { become: "success", paymentId: verification.mihpayid, reason: "verified" };
  }
  if (claimsSuccess && !exact) return wrongAmount;
  if (verification.outcome === "unreachable") return exact ? trustCallback(claim) : unreachable;
  if (claimsSuccess) return disagreement;
  if (verification.outcome === "failed") return { become: "failed", reason: "verified" };
  if (verification.outcome === "pending") return undecided;

  if (exact && claim.status === "failed") return { become: "failed", reason: "signed" };
  if (!hasExpired(order.createdAt, moment)) return undecided;
  return { become: "failed", reason: "never begun" };
}

function trustCallback({ status, mihpayid }: Callback): Decision {
  if (status === "success") return { become: "success", paymentId: mihpayid, reason: "signed" };
  return status === "failed" ? { become: "failed", reason: "signed" } : unreachable;
}

const wrongAmount: Decision = { become: null, reason: "wrong amount" };
const disagreement: Decision = { become: null, reason: "disagreement" };
const undecided: Decision = { become: null, reason: "undecided" };
const unreachable: Decision = { become: null, reason: "unreachable" };

/** Explains why an order is neither paid nor failed. @param reason of the last decision on it */
export function formatDecisionReason(reason: string | null): string {
  return (reason && reasons[reason]) || "It couldn't be settled. See the log for details.";
}

const reasons: Record<string, string> = {
  "wrong amount": "The amount paid doesn't match the order.",
  disagreement: "The buyer returned as having paid, but PayU doesn't confirm it.",
  undecided: "PayU has no final answer yet.",
  unreachable: "We couldn't reach PayU.",
};
