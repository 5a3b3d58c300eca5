import { cleanText } from "../../platform/text/text.ts";
import { and, desc, eq, inArray, isNull, type SQL } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import type { Sender } from "../../payments/emails.tsx";
import {
  addRefund,
  approveRefund,
  declineRefund,
  lockOrder,
  type RefundableOrder,
} from "../../payments/refunds/refund-orders.server.ts";
import {
  decidedWithin,
  maxReasonLength,
  type RefundGrounds,
  type RefundState,
} from "../../payments/refund-rules.ts";
import { refunds } from "../../payments/refunds/tables.server.ts";
import { orders } from "../../payments/tables.server.ts";
import { recordAuditEvents } from "../../platform/audit.server.ts";
import { now } from "../../platform/clock.ts";
import { type Database, isUuid } from "../../platform/database.server.ts";
import { Conflict, Invalid, NotFound } from "../../platform/errors.ts";
import { notifyFormerReviewersLater } from "../../reviews/emails/reviewer-emails.server.tsx";
import { closeShares } from "../../annotations/share/shares.server.ts";
import { reviewAssignments, serviceReviews } from "../../reviews/tables.server.ts";
import { getRefundTerms } from "./terms.ts";

/** The latest refund of an order, as its customer sees it. */
export type OwnRefund = {
  state: RefundState;
  grounds: RefundGrounds;
  amountPaise: number;
  askedAt: Date;
  /** The deadline for a decision about a requested refund. */
  decidedBy: Date;
  decidedAt: Date | null;
  endedAt: Date | null;
  /** The customer's reason. */
  reason: string | null;
  /** Our answer. */
  answer: string | null;
};

/**
 * Lists, for each of this person's orders, the available refund actions and the latest refund. Other people's
 * orders are left out.
 */
export async function listRefundTerms(db: Database, actor: { id: string }, orderIds: string[]) {
  if (orderIds.length === 0) return new Map();
  const own = and(inArray(orders.orderId, orderIds), eq(orders.buyerId, actor.id));
  const rows = await listRefundFacts(db, own);
  const moment = now();
  return new Map(
    rows.map(({ orderId, facts, refund }) => [
      orderId,
      { orderId, terms: getRefundTerms(facts, moment), refund },
    ]),
  );
}

/**
 * Requests a refund of the actor's own order. It is approved immediately if work has not started or
 * the review was late. After a delivery an admin decides.
 *
 * @param reason is required, and stored, only for a delivered review
 * @returns the state of the new refund.
 * @throws {NotFound} for an order that is not theirs.
 * @throws {Invalid} for a required reason that is missing, or one that is too long.
 * @throws {Conflict} when the terms allow no refund, or another request was first.
 */
export async function requestRefund(
  db: Database,
  actor: Actor | null,
  orderId: string,
  reason: string,
  sender: Sender,
): Promise<"approved" | "asked"> {
  authorize(actor, "refund.ask");
  return db.transaction(async (tx) => {
    const order = await lockOrder(tx, orderId);
    if (order.buyerId !== actor.id) throw new NotFound("Order not found.");
    const review = await lockReviewOfOrder(tx, orderId);
    const [read] = await listRefundFacts(tx, eq(orders.orderId, orderId));
    const terms = getRefundTerms(read!.facts, now());
    if (terms.may === "no") throw new Conflict(terms.why);
    const isApproved = terms.may === "at once";
    await addRefund(tx, sender, order, {
      grounds: terms.grounds,
      state: isApproved ? "approved" : "asked",
      reason: isApproved ? null : validateReason(reason),
      askedBy: actor,
      decidedBy: null,
    });
    if (isApproved && review) await withdrawReview(tx, sender, review);
    return isApproved ? "approved" : "asked";
  });
}

/**
 * Validates the reason for a refund.
 *
 * @throws {Invalid} for a reason that is too short or too long.
 */
function validateReason(typed: string): string {
  const reason = cleanText(typed).trim();
  if (reason.length < 3) throw new Invalid({ reason: "Please enter a reason" });
  if (reason.length > maxReasonLength) {
    throw new Invalid({ reason: `Please keep this within ${maxReasonLength} characters` });
  }
  return reason;
}

/** Lists orders with the review they bought and their latest refund. */
async function listRefundFacts(db: Database, condition: SQL | undefined) {
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
    .where(condition)
    .orderBy(orders.orderId, desc(refunds.createdAt), desc(refunds.id));
  return rows.map(({ orderId, review, assignmentId, completedAt, refund, ...order }) => ({
    orderId,
    facts: {
      isPaid:
        order.status === "success" && order.capturedPaise !== null && order.paymentId !== null,
      review: review && { ...review, isAssigned: assignmentId !== null, completedAt },
      refund: refund?.state ?? null,
    },
    refund: refund && toOwnRefund(refund),
  }));
}

function toOwnRefund(refund: typeof refunds.$inferSelect): OwnRefund {
  const { state, grounds, amountPaise, createdAt, decidedAt, endedAt, reason, answer } = refund;
  return {
    state,
    grounds,
    amountPaise,
    askedAt: createdAt,
    decidedBy: new Date(createdAt.getTime() + decidedWithin),
    decidedAt,
    // Customers do not see a failure, since another attempt follows.
    endedAt: state === "failed" ? null : endedAt,
    reason,
    answer,
  };
}

/**
 * Refunds the captured amount of an order on an admin's decision. The order may have a wrong amount, have bought
 * nothing, or have an earlier refund that failed at the provider.
 *
 * @throws {NotFound} if the order does not exist
 * @throws {Invalid} without a reason, or with one that is too long.
 * @throws {Conflict} when nothing was captured, or a refund is open or settled already.
 */
export async function refundOrder(
  db: Database,
  actor: Actor | null,
  { orderId, reason }: { orderId: string; reason: string },
  sender: Sender,
): Promise<void> {
  authorize(actor, "order.refund");
  const validReason = validateReason(reason);
  await db.transaction(async (tx) => {
    const order = await lockOrder(tx, orderId);
    const review = await lockReviewOfOrder(tx, orderId);
    await addRefund(tx, sender, order, {
      grounds: "decided",
      state: "approved",
      reason: validReason,
      askedBy: actor,
      decidedBy: actor,
    });
    if (review) await withdrawReview(tx, sender, review);
    await recordRefundEvent(tx, actor, "order.refund", order, { reason: validReason });
  });
}

type Answered = { refundId: string; answer: string };

/**
 * Approves a refund that a customer requested.
 *
 * @param answer goes into the history; it may be empty
 * @throws {NotFound} if the refund does not exist
 * @throws {Invalid} for an answer that is too long.
 * @throws {Conflict} when it was decided before.
 */
export async function approveRequestedRefund(
  db: Database,
  actor: Actor | null,
  { refundId, answer }: Answered,
  sender: Sender,
): Promise<void> {
  authorize(actor, "order.refund");
  const validAnswer = validateAnswer(answer) || null;
  await db.transaction(async (tx) => {
    const order = await lockOrderOfRefund(tx, refundId);
    const review = await lockReviewOfOrder(tx, order.orderId);
    await approveRefund(tx, sender, order, { refundId, answer: validAnswer, decidedBy: actor });
    if (review) await withdrawReview(tx, sender, review);
    await recordRefundEvent(tx, actor, "order.approve-refund", order, { answer: validAnswer });
  });
}

/**
 * Declines a refund that a customer requested, and emails them the answer.
 *
 * @throws {NotFound} if the refund does not exist
 * @throws {Invalid} without an answer, or with one that is too long.
 * @throws {Conflict} when it was decided before.
 */
export async function declineRequestedRefund(
  db: Database,
  actor: Actor | null,
  { refundId, answer }: Answered,
  sender: Sender,
): Promise<void> {
  authorize(actor, "order.refund");
  const validAnswer = validateAnswer(answer);
  if (validAnswer.length < 3)
    throw new Invalid({ answer: "Please enter a reason. The customer gets it by email." });
  await db.transaction(async (tx) => {
    const order = await lockOrderOfRefund(tx, refundId);
    await declineRefund(tx, sender, order, { refundId, answer: validAnswer, decidedBy: actor });
    await recordRefundEvent(tx, actor, "order.decline-refund", order, { answer: validAnswer });
  });
}

function validateAnswer(typed: string): string {
  const answer = cleanText(typed).trim();
  if (answer.length > maxReasonLength) {
    throw new Invalid({ answer: `Please keep this within ${maxReasonLength} characters` });
  }
  return answer;
}

async function lockOrderOfRefund(tx: Database, refundId: string): Promise<RefundableOrder> {
  const [refund] = isUuid(refundId)
    ? await tx.select({ orderId: refunds.orderId }).from(refunds).where(eq(refunds.id, refundId))
    : [];
  if (!refund) throw new NotFound("Refund not found.");
  return lockOrder(tx, refund.orderId);
}

function recordRefundEvent(
  tx: Database,
  actor: Actor,
  event: string,
  { orderId, capturedPaise }: RefundableOrder,
  after: object,
): Promise<void> {
  const subject = { type: "order", id: orderId };
  return recordAuditEvents(tx, [{ actor, event, subject, after: { capturedPaise, ...after } }]);
}

type PaidReview = typeof serviceReviews.$inferSelect;

/**
 * Locks the review that an order paid for until the transaction ends, as submitting and assigning do. The order
 * must be locked first.
 */
async function lockReviewOfOrder(tx: Database, orderId: string): Promise<PaidReview | null> {
  const [review] = await tx
    .select()
    .from(serviceReviews)
    .where(eq(serviceReviews.orderId, orderId))
    .for("no key update");
  return review ?? null;
}

/**
 * Withdraws a refunded review from every queue and figure: its open assignment and draft are deleted, and its
 * reviewer is notified. A completed one stays readable, but its share link is closed.
 */
async function withdrawReview(tx: Database, sender: Sender, review: PaidReview): Promise<void> {
  const withdrawn = await tx
    .update(serviceReviews)
    .set({
      withdrawnAt: now(),
      ...(review.status === "under_review" && { status: "pending" as const }),
    })
    .where(and(eq(serviceReviews.id, review.id), isNull(serviceReviews.withdrawnAt)))
    .returning({ id: serviceReviews.id });
  if (withdrawn.length === 0) return;
  await closeShares(tx, review.id);
  if (review.status === "completed") return;
  const deleted = await tx
    .delete(reviewAssignments)
    .where(and(eq(reviewAssignments.reviewId, review.id), isNull(reviewAssignments.completedAt)))
    .returning({ reviewerId: reviewAssignments.reviewerId });
  const assignments = deleted.map(({ reviewerId }) => ({ reviewerId, review }));
  await notifyFormerReviewersLater(tx, sender, assignments);
}
