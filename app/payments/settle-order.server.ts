import { and, desc, eq, inArray, ne, sql } from "drizzle-orm";
import { minute, now } from "../platform/clock.ts";
import type { Database } from "../platform/database.server.ts";
import type { Log } from "../platform/log.server.ts";
import { paymentsByOutcome } from "../platform/metrics.server.ts";
import type { AppContext } from "../platform/app-context.server.ts";
import { getDecision, type Decision, formatDecisionReason } from "./decide.ts";
import { reportGivenUpLater, reportWrongAmountLater } from "./emails.tsx";
import { createInvoice } from "./invoices.server.ts";
import { getNextOrderCheck } from "./order-expiry.ts";
import { recordEvent, recordUnreachable } from "./order-records.server.ts";
import type { Payments } from "./payments.server.ts";
import type { Callback, Verification } from "./payu.server.ts";
import { orderEvents, orders } from "./tables.server.ts";

export type Settlement = {
  orderId: string;
  /** The reason to ask: the buyer returned, the provider sent a notice, or a check was due. */
  source: "return" | "notice" | "verification";
  /** The signed claim that the return or the notice brought. */
  callback?: Callback | null;
};

/** The facts that anyone with the transaction id may see. */
export type OrderOutcome = { status: "pending" | "success" | "failed"; amountPaise: number };

/** Finds the state of an order; null for an unknown id. */
async function findOrderOutcome(db: Database, orderId: string): Promise<OrderOutcome | null> {
  const [row] = await db
    .select({ status: orders.status, amountPaise: orders.amountPaise })
    .from(orders)
    .where(eq(orders.orderId, orderId));
  return row ? { status: row.status, amountPaise: row.amountPaise ?? 0 } : null;
}

/**
 * Marks an order as paid or failed. Nothing else does, and concurrent callers are safe. The provider is asked
 * outside of any transaction. The change, the delivery, the record and the invoice are one transaction. An unsettled
 * order is checked again later.
 *
 * @returns the order's current status; null if the order does not exist
 * @throws {Error} the error from `deliver`; the order is unchanged and due for another check
 */
export async function settleOrder(
  { db, config, log }: AppContext,
  payments: Pick<Payments, "verify" | "deliver">,
  { orderId, source, callback = null }: Settlement,
): Promise<OrderOutcome | null> {
  const order = await startSettlement(db, orderId);
  if (!order) return findPaidOutcome(db, { orderId, source, callback });

  const [claim, verification] = await Promise.all([
    callback ?? findEarlierClaim(db, orderId),
    payments.verify(orderId),
  ]);
  const decision = getDecision(order, claim, verification, now());
  logDecision(log, { orderId, source, callback, verification, decision });

  const ended = await db.transaction(async (tx) => {
    const settled = await changeStatus(tx, order, decision, verification);
    if (settled?.status === "success") await payments.deliver(tx, settled);
    if (decision.reason === "wrong amount") await recordCapturedAmount(tx, orderId, verification);
    const givenUp = !settled && (await keepPending(tx, order, decision)) === "given up";
    if (decision.reason === "wrong amount") {
      await reportWrongAmountLater(tx, config, order, { callback, verification });
    } else if (givenUp) {
      await reportGivenUpLater(tx, config, order, formatDecisionReason(decision.reason));
    }
    await recordEvent(tx, {
      orderId,
      at: now(),
      source,
      said: callback?.status ?? verification.outcome,
      outcome: settled?.status ?? "unchanged",
      detail: { reason: decision.reason, callback, verification },
    });
    if (settled?.status === "success" && settled.isTaxed) await createInvoice(tx, orderId);
    if (decision.reason === "wrong amount") return decision.reason;
    return givenUp ? "given up" : settled?.status;
  });
  if (ended) paymentsByOutcome.inc({ outcome: ended });
  return findOrderOutcome(db, orderId);
}

/** Finds an earlier signed claim of success, which still counts until the provider confirms it. */
async function findEarlierClaim(db: Database, orderId: string): Promise<Callback | null> {
  const [claimed] = await db
    .select({ callback: sql<Callback>`${orderEvents.detail}->'callback'` })
    .from(orderEvents)
    .where(
      and(
        eq(orderEvents.orderId, orderId),
        inArray(orderEvents.source, ["return", "notice"]),
        eq(orderEvents.said, "success"),
      ),
    )
    .orderBy(desc(orderEvents.at))
    .limit(1);
  return claimed?.callback ?? null;
}

/** A settlement that an error or a crash interrupted is retried after this time. */
const retryAfterCrash = 5 * minute;

type OpenOrder = { orderId: string; amountPaise: number; createdAt: Date };

/** Returns null if the order is paid or does not exist. */
async function startSettlement(db: Database, orderId: string): Promise<OpenOrder | null> {
  const moment = now();
  const latest = new Date(moment.getTime() + retryAfterCrash).toISOString();
  const [row] = await db
    .update(orders)
    .set({ lastCheckedAt: moment, nextCheckAt: sql`least(${orders.nextCheckAt}, ${latest})` })
    .where(and(eq(orders.orderId, orderId), ne(orders.status, "success")))
    .returning({ amountPaise: orders.amountPaise, createdAt: orders.createdAt });
  return row ? { orderId, amountPaise: row.amountPaise ?? 0, createdAt: row.createdAt } : null;
}

/** For a paid order, only callbacks are recorded, so that the history shows when each arrived. */
async function findPaidOutcome(db: Database, { orderId, source, callback }: Settlement) {
  const outcome = await findOrderOutcome(db, orderId);
  if (!outcome || !callback) return outcome;
  await db.transaction(async (tx) => {
    const paid = eq(orders.orderId, orderId);
    await tx.select({ orderId: orders.orderId }).from(orders).where(paid).for("update");
    await recordEvent(tx, {
      orderId,
      at: now(),
      source,
      said: callback.status,
      outcome: "unchanged",
      detail: { reason: "already paid", callback },
    });
  });
  return outcome;
}

/** Returns the order if this call changed it. Of several concurrent calls, only one does. */
async function changeStatus(
  tx: Database,
  order: OpenOrder,
  decision: Decision,
  verification: Verification,
) {
  if (decision.become === null) return null;
  const moment = now();
  const paid = decision.become === "success";
  const [settled] = await tx
    .update(orders)
    .set({
      status: decision.become,
      settledAt: moment,
      checks: sql`${orders.checks} + 1`,
      nextCheckAt: paid ? null : getNextOrderCheck(order.createdAt, moment),
      ...(paid && {
        providerPaymentId: decision.paymentId,
        capturedPaise: order.amountPaise,
        providerChargesPaise:
          verification.outcome === "success" ? (verification.chargesPaise ?? null) : null,
        // Without an account the purchase cannot be delivered, so the payment has to be refunded.
        reasonToResolve: sql`case when ${orders.buyerId} is null then 'no account' end`,
        resolvedAt: null,
      }),
    })
    .where(
      and(
        eq(orders.orderId, order.orderId),
        paid ? ne(orders.status, "success") : eq(orders.status, "pending"),
      ),
    )
    .returning({
      orderId: orders.orderId,
      status: orders.status,
      buyerId: orders.buyerId,
      purpose: orders.purpose,
      isTaxed: sql<boolean>`${orders.taxablePaise} is not null`,
    });
  return settled ? { ...settled, settledAt: moment } : null;
}

/** Records a captured amount that differs from the order's, so that it can be refunded. */
async function recordCapturedAmount(tx: Database, orderId: string, verification: Verification) {
  if (verification.outcome !== "success") return;
  await tx
    .update(orders)
    .set({
      providerPaymentId: verification.mihpayid,
      capturedPaise: verification.amountPaise,
    })
    .where(and(eq(orders.orderId, orderId), ne(orders.status, "success")));
}

/** Leaves the order pending until its next check, unless it was settled concurrently. */
async function keepPending(tx: Database, { orderId, createdAt }: OpenOrder, { reason }: Decision) {
  const [open] = await tx
    .update(orders)
    .set({ checks: sql`${orders.checks} + 1`, nextCheckAt: getNextOrderCheck(createdAt, now()) })
    .where(and(eq(orders.orderId, orderId), ne(orders.status, "success")))
    .returning({ status: orders.status, nextCheckAt: orders.nextCheckAt });
  // A failed order is final, unless the buyer returned as having paid or the provider is unreachable.
  // It may have been paid since it failed.
  const isDoubtful = reason === "disagreement" || reason === "unreachable";
  const isOpen = open && (open.status === "pending" || isDoubtful);
  if (!isOpen || open.nextCheckAt !== null) return "waiting";
  if (open.status === "failed" && reason === "unreachable") await recordUnreachable(tx, orderId);
  return "given up";
}

type LoggedDecision = Settlement & { verification: Verification; decision: Decision };

const unreachableHint =
  "We retry automatically. Check that this server can reach PayU, and that PAYU_KEY and PAYU_SALT are right.";

function logDecision(
  log: Log,
  { orderId, source, callback, verification, decision }: LoggedDecision,
): void {
  const facts = {
    order: orderId,
    source,
    claimed: callback?.status,
    verification,
    reason: decision.reason,
  };
  if (decision.reason === "wrong amount") log.error(facts, "payment has a wrong amount");
  else if (decision.reason === "disagreement") log.warn(facts, "payment claimed but not confirmed");
  else if (decision.reason === "unreachable")
    log.error({ ...facts, toDo: unreachableHint }, "payment could not be verified");
  else log.info(facts, "payment checked");
}
