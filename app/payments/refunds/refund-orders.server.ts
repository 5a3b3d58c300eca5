import { and, eq } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { users } from "../../accounts/tables.server.ts";
import { now } from "../../platform/clock.ts";
import type { Database } from "../../platform/database.server.ts";
import { Conflict, NotFound } from "../../platform/errors.ts";
import { queueTask } from "../../platform/tasks.server.ts";
import {
  notifyOfApprovalLater,
  notifyOfDeclineLater,
  reportAskedRefundLater,
  type Sender,
} from "../emails.tsx";
import { formatRupees } from "../money.ts";
import { createPaymentId, recordEvent } from "../order-records.server.ts";
import { orders } from "../tables.server.ts";
import { decidedWithin, type RefundGrounds } from "../refund-rules.ts";
import { refunds } from "./tables.server.ts";

/**
 * The steps of a refund before it is sent. Each runs in the caller's transaction, with the order locked. The caller
 * checks permissions and applies the refund to the purchase.
 */

/** Sends approved refunds. The same task also runs every minute. */
export const sendRefundsTask = { name: "send-refunds" };

export type RefundableOrder = typeof orders.$inferSelect;

/**
 * Locks an order for the rest of the transaction. The order is locked before its purchase, as when it is settled,
 * to avoid deadlocks.
 *
 * @throws {NotFound} if the order does not exist
 */
export async function lockOrder(tx: Database, orderId: string): Promise<RefundableOrder> {
  const [order] = await tx
    .select()
    .from(orders)
    .where(eq(orders.orderId, orderId))
    .for("no key update");
  if (!order) throw new NotFound("Order not found.");
  return order;
}

type NewRefund = {
  grounds: RefundGrounds;
  state: "asked" | "approved";
  /** In the words of the person who requested it. */
  reason: string | null;
  askedBy: Pick<Actor, "id" | "fullName">;
  /** The admin who decides; null if the terms grant the refund without a decision. */
  decidedBy: Actor | null;
};

/**
 * Adds a refund of the order's captured amount, with a new token. An approved refund is sent once the transaction
 * commits.
 *
 * @throws {Conflict} if nothing was captured, a refund is already open or settled, or the invoice is for another amount
 */
export async function addRefund(
  tx: Database,
  sender: Sender,
  order: RefundableOrder,
  { grounds, state, reason, askedBy, decidedBy }: NewRefund,
): Promise<string> {
  const { orderId, capturedPaise, providerPaymentId } = order;
  if (!capturedPaise || !providerPaymentId) {
    throw new Conflict("We have no captured payment for this order.");
  }
  const isInvoiced = order.status === "success" && order.taxablePaise !== null;
  if (isInvoiced && capturedPaise !== order.amountPaise) {
    throw new Conflict(
      `The invoice is for ${formatRupees(order.amountPaise ?? 0)}, and its credit note can only cancel all of it. ${formatRupees(capturedPaise)} can't be refunded here.`,
    );
  }
  const at = now();
  const isApproved = state === "approved";
  const [added] = await tx
    .insert(refunds)
    .values({
      orderId,
      token: createPaymentId("R_", at),
      paymentId: providerPaymentId,
      amountPaise: capturedPaise,
      grounds,
      state,
      reason,
      askedBy: askedBy.id,
      decidedBy: decidedBy?.id ?? null,
      createdAt: at,
      ...(isApproved && { decidedAt: at, nextCheckAt: at }),
    })
    .onConflictDoNothing()
    .returning({ id: refunds.id });
  if (!added) throw new Conflict("This payment already has a refund.");
  const detail = { refundId: added.id, reason, by: askedBy.fullName };
  const event = { orderId, at, source: "refund", said: grounds, outcome: state, detail } as const;
  await recordEvent(tx, event);
  const refund = { id: added.id, amountPaise: capturedPaise };
  if (isApproved) await sendLater(tx, sender, order, refund);
  else {
    const until = new Date(at.getTime() + decidedWithin);
    await reportAskedRefundLater(tx, sender, order, { ...refund, reason: reason ?? "", until });
  }
  return added.id;
}

/**
 * Refunds an order that was paid after its buyer closed the account, in the transaction that settles it. Closing waits for
 * this transaction, or this one sees the closed account.
 *
 * @returns false if the buyer's account is open
 */
export async function refundForClosedAccount(
  tx: Database,
  sender: Sender,
  { orderId, buyerId }: { orderId: string; buyerId: string | null },
): Promise<boolean> {
  if (!buyerId) return false;
  const [buyer] = await tx
    .select({ closedAt: users.closedAt })
    .from(users)
    .where(eq(users.id, buyerId))
    .for("share");
  if (!buyer?.closedAt) return false;
  const order = await lockOrder(tx, orderId);
  await addRefund(tx, sender, order, {
    grounds: "account closed",
    state: "approved",
    reason: null,
    askedBy: { id: buyerId, fullName: null },
    decidedBy: null,
  });
  return true;
}

type Decision = { refundId: string; answer: string | null; decidedBy: Actor };

/**
 * Approves a requested refund. It is sent once the transaction commits.
 *
 * @throws {Conflict} if it was decided before
 */
export async function approveRefund(
  tx: Database,
  sender: Sender,
  order: RefundableOrder,
  decision: Decision,
): Promise<void> {
  const decided = await updateRefundDecision(tx, order, decision, "approved");
  await sendLater(tx, sender, order, decided);
}

/**
 * Declines a requested refund and tells the customer why.
 *
 * @throws {Conflict} if it was decided before
 */
export async function declineRefund(
  tx: Database,
  sender: Sender,
  order: RefundableOrder,
  decision: Decision,
): Promise<void> {
  const { id } = await updateRefundDecision(tx, order, decision, "declined");
  await notifyOfDeclineLater(tx, sender, order, { id, answer: decision.answer ?? "" });
}

async function updateRefundDecision(
  tx: Database,
  { orderId }: RefundableOrder,
  { refundId, answer, decidedBy }: Decision,
  state: "approved" | "declined",
) {
  const at = now();
  const isApproved = state === "approved";
  const [decided] = await tx
    .update(refunds)
    .set({
      state,
      answer,
      decidedBy: decidedBy.id,
      decidedAt: at,
      ...(isApproved ? { nextCheckAt: at } : { endedAt: at }),
    })
    .where(and(eq(refunds.id, refundId), eq(refunds.orderId, orderId), eq(refunds.state, "asked")))
    .returning({ id: refunds.id, amountPaise: refunds.amountPaise });
  if (!decided) throw new Conflict("This refund has already been decided.");
  const detail = { refundId, answer, by: decidedBy.fullName };
  const decision = isApproved ? "approval" : "refusal";
  await recordEvent(tx, { orderId, at, source: "refund", said: decision, outcome: state, detail });
  return decided;
}

async function sendLater(
  tx: Database,
  sender: Sender,
  order: RefundableOrder,
  refund: { id: string; amountPaise: number },
): Promise<void> {
  await queueTask(tx, sendRefundsTask, {});
  await notifyOfApprovalLater(tx, sender, order, refund);
}
