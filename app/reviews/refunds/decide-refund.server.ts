import { eq } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import {
  addRefund,
  approveRefund,
  declineRefund,
  lockOrder,
  type RefundableOrder,
  type Sender,
} from "../../payments/refunds/refund-orders.server.ts";
import { longestReason } from "../../payments/refunds/rules.ts";
import { refunds } from "../../payments/refunds/tables.server.ts";
import { recordAuditEvents } from "../../platform/audit.server.ts";
import { type Database, isUuid } from "../../platform/database.server.ts";
import { Invalid, NotFound } from "../../platform/errors.ts";
import { cleanText } from "../staff-rules.ts";
import { readReason } from "./ask-for-refund.server.ts";
import { lockReviewOf, withdrawReview } from "./withdraw-review.server.ts";

/**
 * Gives back what was captured for an order, on an admin's own decision: also of a wrong amount, of a
 * payment that bought nothing, and once more after the provider has said that a refund failed.
 *
 * @throws {NotFound} when there is no such order.
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
  const words = readReason(reason);
  await db.transaction(async (tx) => {
    const order = await lockOrder(tx, orderId);
    const review = await lockReviewOf(tx, orderId);
    await addRefund(tx, sender, order, {
      grounds: "decided",
      state: "approved",
      reason: words,
      askedBy: actor,
      decidedBy: actor,
    });
    if (review) await withdrawReview(tx, sender, review);
    await record(tx, actor, "order.refund", order, { reason: words });
  });
}

type Answered = { refundId: string; answer: string };

/**
 * Approves a refund that a customer has asked for.
 *
 * @param answer goes into the history; it may be empty
 * @throws {NotFound} when there is no such refund.
 * @throws {Invalid} for an answer that is too long.
 * @throws {Conflict} when it was decided before.
 */
export async function approveAskedRefund(
  db: Database,
  actor: Actor | null,
  { refundId, answer }: Answered,
  sender: Sender,
): Promise<void> {
  authorize(actor, "order.refund");
  const words = readAnswer(answer) || null;
  await db.transaction(async (tx) => {
    const order = await lockOrderOf(tx, refundId);
    const review = await lockReviewOf(tx, order.orderId);
    await approveRefund(tx, sender, order, { refundId, answer: words, decidedBy: actor });
    if (review) await withdrawReview(tx, sender, review);
    await record(tx, actor, "order.approve-refund", order, { answer: words });
  });
}

/**
 * Declines a refund that a customer has asked for; they are mailed the answer.
 *
 * @throws {NotFound} when there is no such refund.
 * @throws {Invalid} without an answer, or with one that is too long.
 * @throws {Conflict} when it was decided before.
 */
export async function declineAskedRefund(
  db: Database,
  actor: Actor | null,
  { refundId, answer }: Answered,
  sender: Sender,
): Promise<void> {
  authorize(actor, "order.refund");
  const words = readAnswer(answer);
  if (words.length < 3) throw new Invalid({ answer: "Say why: the customer gets it by mail" });
  await db.transaction(async (tx) => {
    const order = await lockOrderOf(tx, refundId);
    await declineRefund(tx, sender, order, { refundId, answer: words, decidedBy: actor });
    await record(tx, actor, "order.decline-refund", order, { answer: words });
  });
}

function readAnswer(typed: string): string {
  const answer = cleanText(typed).trim();
  if (answer.length > longestReason) {
    throw new Invalid({ answer: `Please keep this within ${longestReason} characters` });
  }
  return answer;
}

async function lockOrderOf(tx: Database, refundId: string): Promise<RefundableOrder> {
  const [refund] = isUuid(refundId)
    ? await tx.select({ orderId: refunds.orderId }).from(refunds).where(eq(refunds.id, refundId))
    : [];
  if (!refund) throw new NotFound("There is no such refund.");
  return lockOrder(tx, refund.orderId);
}

function record(
  tx: Database,
  actor: Actor,
  event: string,
  { orderId, capturedPaise }: RefundableOrder,
  after: object,
): Promise<void> {
  const subject = { type: "order", id: orderId };
  return recordAuditEvents(tx, [{ actor, event, subject, after: { capturedPaise, ...after } }]);
}
