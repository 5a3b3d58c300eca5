/** What a receipt says of a payment; safe for the browser. */
import { formatRupees } from "../../payments/money.ts";
import type { RefundState } from "../../payments/refunds/rules.ts";
import { shortDateTime } from "../../platform/clock.ts";

/** A paid order, as its buyer may need to prove it. Moments are in words, of the product's time zone. */
export type Receipt = {
  orderId: string;
  productName: string;
  merchant: string;
  supportEmail: string;
  /** What was bought, by its name. */
  service: string;
  /** As in "₹199". */
  amount: string;
  paidAt: string;
  /** By which the provider knows the payment; none of what was imported. */
  providerPaymentId: string | null;
  buyer: { name: string | null; email: string };
  /** Of the whole amount; null while none of it goes back. */
  refund: ReceiptRefund | null;
};

export type ReceiptRefund = { amount: string; said: string };

/** "Jan 5, 2025, 3:04 PM IST" */
export function momentOnPaper(moment: Date): string {
  return `${shortDateTime(moment)} IST`;
}

/** How far the money has come that goes back. One that failed is ours to try again: it is under way. */
export function refundOnPaper(refund: {
  state: RefundState;
  amountPaise: number;
  createdAt: Date;
  endedAt: Date | null;
}): ReceiptRefund {
  const { state, amountPaise, createdAt, endedAt } = refund;
  const amount = formatRupees(amountPaise);
  if (state === "settled")
    return { amount, said: `Refunded on ${momentOnPaper(endedAt ?? createdAt)}` };
  return { amount, said: `Refund under way since ${momentOnPaper(createdAt)}` };
}

/** The rows of a receipt above what was bought, in their order. */
export function factsOf({ orderId, paidAt, providerPaymentId, buyer }: Receipt) {
  return [
    { name: "Paid on", value: paidAt },
    { name: "Transaction", value: orderId },
    ...(providerPaymentId ? [{ name: "PayU payment", value: providerPaymentId }] : []),
    { name: "Paid by", value: [buyer.name, buyer.email].filter(Boolean).join("\n") },
  ];
}

/** What stands below it all. */
export function lastWords({ productName, merchant, supportEmail }: Receipt): string {
  return `${productName} is run by ${merchant}. For any question about this payment write to ${supportEmail} and name the transaction: by it the payment is found at any time.`;
}
