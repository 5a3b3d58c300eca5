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
    /** The first promise, whatever was set later. None of imported and of earlier ones. */
    dueAt: Date | null;
    isAssigned: boolean;
    completedAt: Date | null;
  } | null;
  /** The latest refund of the order. */
  refund: RefundState | null;
};

/** The possible action: a refund at once, a request with a reason until a date, or none with an explanation. */
export type RefundTerms =
  | { may: "at once"; grounds: Extract<RefundGrounds, "not begun" | "overdue"> }
  | { may: "ask"; grounds: "delivered"; until: Date }
  | { may: "no"; why: string };

export function getRefundTerms({ isPaid, review, refund }: RefundFacts, moment: Date): RefundTerms {
  if (refund === "declined") return buildRefusal("We have declined a refund of this payment.");
  if (refund) return buildRefusal(inTheWay[refund]);
  if (!isPaid) return buildRefusal("Nothing was bought with this payment.");
  if (!review?.dueAt) return buildRefusal("Please write to us about a refund of this payment.");
  const { status, dueAt, isAssigned, completedAt } = review;
  if (status !== "completed") {
    if (dueAt <= moment) return { may: "at once", grounds: "overdue" };
    if (!isAssigned) return { may: "at once", grounds: "not begun" };
    return buildRefusal(
      `A reviewer is at work on it. If it is not there by ${formatShortDateTime(dueAt)}, you may have your money back at once.`,
    );
  }
  const until = completedAt && new Date(completedAt.getTime() + refundRequestPeriodMs);
  if (!until || until <= moment) {
    return buildRefusal(
      `A refund can be asked for within ${refundRequestPeriodMs / day} days of the delivery, which have passed.`,
    );
  }
  return { may: "ask", grounds: "delivered", until };
}

const inTheWay: Record<Exclude<RefundState, "declined">, string> = {
  asked: "You have asked for a refund of this payment already.",
  approved: "A refund of this payment is under way already.",
  sent: "A refund of this payment is under way already.",
  settled: "This payment has been refunded already.",
  failed: "A refund of this payment is under way already.",
};

function buildRefusal(why: string): RefundTerms {
  return { may: "no", why };
}
