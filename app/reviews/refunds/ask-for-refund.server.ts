import { and, desc, eq, inArray, type SQL } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import { addRefund, lockOrder, type Sender } from "../../payments/refunds/refund-orders.server.ts";
import {
  decidedWithin,
  longestReason,
  type RefundGrounds,
  type RefundState,
} from "../../payments/refunds/rules.ts";
import { refunds } from "../../payments/refunds/tables.server.ts";
import { orders } from "../../payments/tables.server.ts";
import { now } from "../../platform/clock.ts";
import type { Database } from "../../platform/database.server.ts";
import { Conflict, Invalid, NotFound } from "../../platform/errors.ts";
import { cleanText } from "../staff-rules.ts";
import { reviewAssignments, serviceReviews } from "../tables.server.ts";
import { type RefundTerms, refundTerms } from "./terms.ts";
import { lockReviewOf, withdrawReview } from "./withdraw-review.server.ts";

/** A refund as its customer sees it, newest of its order. */
export type OwnRefund = {
  state: RefundState;
  grounds: RefundGrounds;
  amountPaise: number;
  askedAt: Date;
  /** Until when an asked one is decided. */
  decidedBy: Date;
  decidedAt: Date | null;
  endedAt: Date | null;
  /** In their own words. */
  reason: string | null;
  /** In ours. */
  answer: string | null;
};

/** What is possible about an order of one's own, and what came of what was done. */
export type OwnRefundTerms = { orderId: string; terms: RefundTerms; refund: OwnRefund | null };

/**
 * Tells of each of this person's orders whether its money can come back now, and how its refund stands.
 * What is not theirs is left out.
 */
export async function readRefundTerms(
  db: Database,
  actor: { id: string },
  orderIds: string[],
): Promise<Map<string, OwnRefundTerms>> {
  if (orderIds.length === 0) return new Map();
  const own = and(inArray(orders.orderId, orderIds), eq(orders.buyerId, actor.id));
  const rows = await readFacts(db, own);
  const moment = now();
  return new Map(
    rows.map(({ orderId, facts, refund }) => [
      orderId,
      { orderId, terms: refundTerms(facts, moment), refund },
    ]),
  );
}

/**
 * Asks for the money of one's own order back. The terms decide: what nobody has begun, or was not there in
 * time, is approved at once; what was delivered waits for an admin.
 *
 * @param reason is needed, and kept, only for what was delivered
 * @returns what became of it.
 * @throws {NotFound} for an order that is not theirs.
 * @throws {Invalid} without a reason where one is needed, or with one that is too long.
 * @throws {Conflict} when the terms give nothing back, or somebody was first.
 */
export async function askForRefund(
  db: Database,
  actor: Actor | null,
  orderId: string,
  reason: string,
  sender: Sender,
): Promise<"approved" | "asked"> {
  authorize(actor, "refund.ask");
  return db.transaction(async (tx) => {
    const order = await lockOrder(tx, orderId);
    if (order.buyerId !== actor.id) throw new NotFound("There is no such order.");
    const review = await lockReviewOf(tx, orderId);
    const [read] = await readFacts(tx, eq(orders.orderId, orderId));
    const terms = refundTerms(read!.facts, now());
    if (terms.may === "no") throw new Conflict(terms.why);
    const isApproved = terms.may === "at once";
    await addRefund(tx, sender, order, {
      grounds: terms.grounds,
      state: isApproved ? "approved" : "asked",
      reason: isApproved ? null : readReason(reason),
      askedBy: actor,
      decidedBy: null,
    });
    if (isApproved && review) await withdrawReview(tx, sender, review);
    return isApproved ? "approved" : "asked";
  });
}

/**
 * What somebody says of why the money is to go back.
 *
 * @throws {Invalid} without words, or with too many.
 */
export function readReason(typed: string): string {
  const reason = cleanText(typed).trim();
  if (reason.length < 3) throw new Invalid({ reason: "Please say why" });
  if (reason.length > longestReason) {
    throw new Invalid({ reason: `Please keep this within ${longestReason} characters` });
  }
  return reason;
}

/** An order, what it bought and its latest refund. */
async function readFacts(db: Database, which: SQL | undefined) {
  const rows = await db
    .selectDistinctOn([orders.orderId], {
      orderId: orders.orderId,
      status: orders.status,
      capturedPaise: orders.capturedPaise,
      paymentId: orders.providerPaymentId,
      review: { status: serviceReviews.status, dueAt: serviceReviews.dueAt },
      assignmentId: reviewAssignments.id,
      completedAt: reviewAssignments.completedAt,
      refund: refunds,
    })
    .from(orders)
    .leftJoin(serviceReviews, eq(serviceReviews.orderId, orders.orderId))
    .leftJoin(reviewAssignments, eq(reviewAssignments.reviewId, serviceReviews.id))
    .leftJoin(refunds, eq(refunds.orderId, orders.orderId))
    .where(which)
    .orderBy(orders.orderId, desc(refunds.createdAt), desc(refunds.id));
  return rows.map(({ orderId, review, assignmentId, completedAt, refund, ...order }) => ({
    orderId,
    facts: {
      isPaid:
        order.status === "success" && order.capturedPaise !== null && order.paymentId !== null,
      review: review && { ...review, isAssigned: assignmentId !== null, completedAt },
      refund: refund?.state ?? null,
    },
    refund: refund && ownRefund(refund),
  }));
}

function ownRefund(refund: typeof refunds.$inferSelect): OwnRefund {
  const { state, grounds, amountPaise, createdAt, decidedAt, endedAt, reason, answer } = refund;
  return {
    state,
    grounds,
    amountPaise,
    askedAt: createdAt,
    decidedBy: new Date(createdAt.getTime() + decidedWithin),
    decidedAt,
    // Of a failure only we know: another try follows.
    endedAt: state === "failed" ? null : endedAt,
    reason,
    answer,
  };
}
