/** The state of a customer's payment and refund, and the text of its receipt; safe for the browser. */
import { formatRupees } from "../../payments/money.ts";
import type { PaymentDocument } from "../../payments/payment-document.ts";
import { formatRefundState, type RefundState, refundTakes } from "../../payments/refund-rules.ts";
import { formatShortDateTime } from "../../platform/clock.ts";
import type { Product } from "../../platform/config.server.ts";
import type { Tone } from "../../ui/layout/card.tsx";
import type { OwnRefund } from "../refunds/refunds.server.ts";

export type OrderStatus = "pending" | "success" | "failed";

type Badge = { label: string; tone: Tone };

const badges: Record<OrderStatus, Badge> = {
  pending: { label: "Pending", tone: "neutral" },
  success: { label: "Paid", tone: "success" },
  failed: { label: "Failed", tone: "danger" },
};

/** Returns the badge of a payment. @param refund the last refund, if any */
export function toPaymentBadge(status: OrderStatus, refund: RefundState | null): Badge {
  // A declined refund leaves the payment as it was.
  if (refund === null || refund === "declined") return badges[status];
  return { label: formatRefundState(refund), tone: refund === "settled" ? "neutral" : "info" };
}

/**
 * Formats a note beside the badge; null when the badge says everything.
 *
 * @param isListing true for a payment for a listing, false for a review
 */
export function formatPaymentNote(
  status: OrderStatus,
  refund: RefundState | null,
  isListing: boolean,
): string | null {
  if (refund !== null) return null;
  const [appears, starts] = isListing
    ? ["Your listing goes live", "your listing goes live"]
    : ["Your review appears on your profile", "your review starts"];
  if (status === "pending")
    return `We're still checking with PayU. ${appears} when the payment is confirmed. Please don't pay again.`;
  if (status === "failed")
    return `This payment didn't go through. If PayU confirms it later, ${starts} then.`;
  return null;
}

/** A step of a refund, as its customer sees it. */
export type RefundStep = {
  label: string;
  /** The customer's reason, or our answer. */
  note: string | null;
  state: "done" | "now" | "ahead";
};

/** Lists the steps of a refund, from its start to the payout, with formatted dates. */
export function listRefundSteps(refund: OwnRefund): RefundStep[] {
  const { state, grounds, askedAt, decidedAt, endedAt } = refund;
  const request = buildRefundStep(requestLabels[grounds], askedAt, "done");
  if (grounds !== "delivered") return [request, ...listPayoutSteps(state === "settled", endedAt)];
  const reasoned = { ...request, note: refund.reason };
  if (state === "asked")
    return [
      reasoned,
      buildRefundStep("We'll decide by", refund.decidedBy, "now"),
      ...listPayoutSteps(null, null),
    ];
  const decided = buildRefundStep(
    state === "declined" ? "Declined on" : "Approved on",
    decidedAt,
    "done",
  );
  const answered = { ...decided, note: refund.answer };
  if (state === "declined") return [reasoned, answered];
  return [reasoned, answered, ...listPayoutSteps(state === "settled", endedAt)];
}

const requestLabels: Record<OwnRefund["grounds"], string> = {
  "not begun": "You requested a refund on",
  overdue: "You requested a refund on",
  delivered: "You requested a refund on",
  decided: "We approved a refund on",
  "account closed": "We approved a refund on",
};

/** @param isSettled null until the refund is approved */
function listPayoutSteps(isSettled: boolean | null, endedAt: Date | null): RefundStep[] {
  const label = `On its way to you, takes ${refundTakes}`;
  if (isSettled)
    return [
      { label: "On its way to you", note: null, state: "done" },
      buildRefundStep("Refunded on", endedAt, "done"),
    ];
  return [
    { label, note: null, state: isSettled === null ? "ahead" : "now" },
    { label: "Refunded", note: null, state: "ahead" },
  ];
}

function buildRefundStep(
  label: string,
  moment: Date | null,
  state: RefundStep["state"],
): RefundStep {
  return { label: moment ? `${label} ${formatShortDateTime(moment)}` : label, note: null, state };
}

/** The proof of a payment. Times are formatted in the product's time zone. */
export type Receipt = {
  orderId: string;
  productName: string;
  /** The seller and the tax when the order started. */
  seller: {
    name: string;
    address: string;
    gstin: string | null;
    state: string | null;
    serviceCode: string | null;
  };
  /** Today's, because a question must reach someone who can answer it. */
  contacts: Pick<Product, "officer" | "supportEmail">;
  /** The name of the purchase. */
  service: string;
  /** Formatted as in "₹199". */
  amount: string;
  paidAt: string;
  /** The provider's id of the payment; null for an imported one. */
  providerPaymentId: string | null;
  buyer: { name: string | null; email: string };
  /** The refund of the full amount; null without one. */
  refund: ReceiptRefund | null;
};

type ReceiptRefund = { amount: string; label: string };

/** Formats a time as "Jan 5, 2025, 3:04 PM IST". */
export function formatReceiptMoment(moment: Date): string {
  return `${formatShortDateTime(moment)} IST`;
}

/** Formats the progress of a refund. We retry a failed refund, so it counts as in progress. */
export function toReceiptRefund(refund: {
  state: RefundState;
  amountPaise: number;
  createdAt: Date;
  endedAt: Date | null;
}): ReceiptRefund {
  const { state, amountPaise, createdAt, endedAt } = refund;
  const amount = formatRupees(amountPaise);
  if (state === "settled")
    return { amount, label: `Refunded on ${formatReceiptMoment(endedAt ?? createdAt)}` };
  return { amount, label: `Refund in progress since ${formatReceiptMoment(createdAt)}` };
}

/** Formats a receipt. */
export function toReceiptDocument(receipt: Receipt): PaymentDocument {
  const { orderId, productName, paidAt, providerPaymentId, buyer, seller } = receipt;
  const { service, amount, refund } = receipt;
  const { name, address, gstin, state, serviceCode } = seller;
  return {
    kind: "receipt",
    title: "Receipt",
    number: orderId,
    productName,
    facts: [
      { name: "Paid on", value: paidAt },
      { name: "Transaction ID", value: orderId },
      ...(providerPaymentId ? [{ name: "PayU payment ID", value: providerPaymentId }] : []),
      { name: "Paid by", value: [buyer.name, buyer.email].filter(Boolean).join("\n") },
      { name: "Sold by", value: `${name}\n${address}` },
      ...(gstin ? [{ name: "Seller's GSTIN", value: `${gstin} (${state})` }] : []),
      ...(serviceCode ? [{ name: "SAC", value: serviceCode }] : []),
    ],
    amounts: [
      { label: service, amount },
      { label: "Paid", amount, isTotal: true },
      ...(refund ? [{ label: refund.label, amount: `−${refund.amount}` }] : []),
    ],
    end: formatReceiptEnd(receipt),
  };
}

/** Formats the text at the end of a receipt. */
function formatReceiptEnd({ productName, seller, contacts }: Receipt): string {
  const { officer, supportEmail } = contacts;
  const { name, title, email, phone } = officer;
  return [
    `${productName} is run by ${seller.name}.`,
    `Questions about this payment? Email ${supportEmail} and quote the transaction ID.`,
    `Complaints: ${name}, ${title}, ${email}, ${phone}.`,
  ].join(" ");
}
