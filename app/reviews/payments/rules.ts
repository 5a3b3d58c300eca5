/** How a payment of one's own stands, in words; safe for the browser. */
import { refundCopy, type RefundState } from "../../payments/refunds/rules.ts";
import type { Tone } from "../../ui/layout/card.tsx";

export type OrderStatus = "pending" | "success" | "failed";

type Badge = { label: string; tone: Tone };

const badges: Record<OrderStatus, Badge> = {
  pending: { label: "Pending", tone: "warning" },
  success: { label: "Paid", tone: "success" },
  failed: { label: "Failed", tone: "danger" },
};

/** The badge of a payment. @param refund of the last refund that was begun, if any */
export function paymentBadge(status: OrderStatus, refund: RefundState | null): Badge {
  // What was declined leaves the payment as it was.
  if (refund === null || refund === "declined") return badges[status];
  return { label: refundCopy(refund), tone: refund === "settled" ? "neutral" : "info" };
}

/** What the badge leaves open; null where it says all. */
export function paymentNote(status: OrderStatus, refund: RefundState | null): string | null {
  if (refund !== null) return null;
  if (status === "pending")
    return "We go on asking the payment provider. What you paid for appears on your profile by itself once it is confirmed; please do not pay twice.";
  if (status === "failed") return "Nothing was bought. If it is confirmed late, it still counts.";
  return null;
}
