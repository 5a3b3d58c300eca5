import { hasExpired } from "./order-expiry.ts";
import type { Callback, Verification } from "./payu.server.ts";

/** The decision about an order and its reason. `become: null` leaves it unchanged. */
export type Decision =
  | { become: "success"; paymentId: string; reason: "verified" | "signed" }
  | { become: "failed"; reason: "verified" | "signed" | "never begun" }
  | { become: null; reason: "wrong amount" | "disagreement" | "undecided" | "unreachable" };

type Asked = { orderId: string; amountPaise: number; createdAt: Date };

/**
 * Weighs what a signed callback claims against what the provider says when asked.
 *
 * The answer decides; the callback alone is believed only while the provider cannot be asked, and
 * only when it is about this order, this amount and this merchant.
 */
export function resolveOrder(
  order: Asked,
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

/** Why an order is neither paid nor failed, in words; `reason` is that of the last decision on it. */
export function formatUnsettledReason(reason: string | null): string {
  return (reason && reasons[reason]) || "It could not be settled; the log says why.";
}

const reasons: Record<string, string> = {
  "wrong amount": "Another amount was paid than was asked for.",
  disagreement: "The payer came back as having paid, but the provider does not confirm it.",
  undecided: "The provider has not decided.",
  unreachable: "The provider could not be asked.",
};
