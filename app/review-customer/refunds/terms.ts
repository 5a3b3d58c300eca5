/** The terms of a refund; safe for the browser. */
import type { RefundGrounds, RefundState } from "../../payments/refund-rules.ts";
import { day, formatShortDateTime } from "../../platform/clock.ts";
import type { ReviewStatus } from "../../reviews/rules.ts";

/** The period after delivery in which a refund can be requested, by the refund policy. */
export const refundRequestPeriodMs = 2 * day;

/** The facts that the terms depend on. */
type RefundFacts = {
  /** True when the order is paid and the captured amount is known. */
  isPaid: boolean;
  /** The review it bought; null when nothing was delivered. */
  review: {
    status: ReviewStatus;
    /** The original due date, even after an extension. Imported reviews have none. */
    dueAt: Date | null;
    isAssigned: boolean;
    completedAt: Date | null;
  } | null;
  /** The latest refund of the order. */
  refund: RefundState | null;
};

/** The available action: an immediate refund, a request with a reason until a date, or none and why. */
export type RefundTerms =
  | { may: "at once"; grounds: Extract<RefundGrounds, "not begun" | "overdue"> }
  | { may: "ask"; grounds: "delivered"; until: Date }
  | { may: "no"; why: string };

export function getRefundTerms({ isPaid, review, refund }: RefundFacts, moment: Date): RefundTerms {
  if (refund === "declined") return buildRefusal("We declined a refund for this payment.");
  if (refund) return buildRefusal(refusalsByState[refund]);
  if (!isPaid) return buildRefusal("There's nothing to refund for this payment.");
  if (!review?.dueAt) return buildRefusal("Please contact us about a refund for this payment.");
  const { status, dueAt, isAssigned, completedAt } = review;
  if (status !== "completed") {
    if (dueAt <= moment) return { may: "at once", grounds: "overdue" };
    if (!isAssigned) return { may: "at once", grounds: "not begun" };
    return buildRefusal(
      `A reviewer has started. If your review isn't ready by ${formatShortDateTime(dueAt)}, you can get a full refund right away.`,
    );
  }
  const until = completedAt && new Date(completedAt.getTime() + refundRequestPeriodMs);
  if (!until || until <= moment) {
    return buildRefusal(
      `You can request a refund within ${refundRequestPeriodMs / day} days of delivery. That time has passed.`,
    );
  }
  return { may: "ask", grounds: "delivered", until };
}

const refusalsByState: Record<Exclude<RefundState, "declined">, string> = {
  asked: "You've already requested a refund for this payment.",
  approved: "A refund for this payment is already in progress.",
  sent: "A refund for this payment is already in progress.",
  settled: "This payment has already been refunded.",
  failed: "A refund for this payment is already in progress.",
};

function buildRefusal(why: string): RefundTerms {
  return { may: "no", why };
}
