import { and, eq, inArray, lte, sql } from "drizzle-orm";
import type { AppContext } from "../../platform/app-context.server.ts";
import { day, hour, minute, now, second } from "../../platform/clock.ts";
import type { Config } from "../../platform/config.server.ts";
import type { Database } from "../../platform/database.server.ts";
import { logFailure } from "../../platform/log.server.ts";
import type { Task } from "../../platform/tasks.server.ts";
import { notifyOfSettlementLater, reportFailedRefundLater } from "../emails.tsx";
import type { Payments, RefundStatus } from "../payments.server.ts";
import { recordEvent } from "../order-records.server.ts";
import { orders } from "../tables.server.ts";
import { createCreditNote } from "./credit-notes.server.ts";
import { sendRefundsTask } from "./refund-orders.server.ts";
import type { RefundState } from "../refund-rules.ts";
import { refunds } from "./tables.server.ts";

/** Refunds sent at the same time. Each briefly holds a connection. */
const batch = 5;
/** The next minute's run continues with the rest. */
const maxDuration = 45 * second;
/** A refund whose sending was interrupted is retried after this time. */
const claimedFor = minute;

type Provider = Pick<Payments, "refund" | "refundStatus">;

/** Every minute, and right after an approval, sends the due refunds and checks the sent ones. */
export function sendRefunds(config: Config, payments: Provider): Task<object> {
  return {
    ...sendRefundsTask,
    schedule: "* * * * *",
    async run(_data, { db, log }) {
      const app = { db, config, log };
      const end = now().getTime() + maxDuration;
      while (now().getTime() < end) {
        const due = await claimRefunds(db, lte(refunds.nextCheckAt, now()));
        if (due.length === 0) return;
        await Promise.all(due.map((refund) => advanceRefundOrLog(app, payments, refund)));
      }
    },
  };
}

/**
 * Sends or checks the open refund of an order now, even if it is not due.
 *
 * @returns the refund's new state; null if none is open
 */
export async function checkRefund(
  app: AppContext,
  payments: Provider,
  orderId: string,
): Promise<RefundState | null> {
  const [refund] = await claimRefunds(app.db, eq(refunds.orderId, orderId));
  return refund ? advanceRefund(app, payments, refund) : null;
}

type ClaimedRefund = typeof refunds.$inferSelect & { state: "approved" | "sent" };

/**
 * Claims some refunds, so that no other process sends them at the same time. The claim is committed before
 * sending: after a crash, the token is looked up before the refund is sent again.
 */
async function claimRefunds(db: Database, which: ReturnType<typeof eq>): Promise<ClaimedRefund[]> {
  const moment = now();
  const due = db
    .select({ id: refunds.id })
    .from(refunds)
    .where(and(which, inArray(refunds.state, ["approved", "sent"])))
    .orderBy(refunds.nextCheckAt)
    .limit(batch)
    .for("update", { skipLocked: true });
  const claimed = await db
    .update(refunds)
    .set({
      nextCheckAt: new Date(moment.getTime() + claimedFor),
      checks: sql`${refunds.checks} + 1`,
    })
    // An array is evaluated once. A plain subquery may run again for each row and claim more than a batch.
    .where(sql`${refunds.id} = any(array(${due}))`)
    .returning();
  return claimed as ClaimedRefund[];
}

/** Logs a failure, so that one refund that cannot be recorded doesn't delay the others. */
async function advanceRefundOrLog(app: AppContext, payments: Provider, refund: ClaimedRefund) {
  try {
    await advanceRefund(app, payments, refund);
  } catch (error) {
    logFailure(app.log, error, "refund step failed", { order: refund.orderId });
  }
}

/** Asks the provider outside of any transaction, then records the result in one. */
async function advanceRefund(
  { db, config, log }: AppContext,
  payments: Provider,
  refund: ClaimedRefund,
): Promise<RefundState> {
  const { id, orderId, state, amountPaise } = refund;
  const status = await requestRefundStatus(payments, refund);
  const facts = { order: orderId, refund: id, state, status };
  if (status.outcome === "failed") log.error(facts, "refund failed");
  else if (status.outcome === "unknown") log.warn(facts, "refund status unknown");
  else log.info(facts, "refund checked");

  return db.transaction(async (tx) => {
    const [order] = await tx
      .select({ orderId: orders.orderId, buyerId: orders.buyerId })
      .from(orders)
      .where(eq(orders.orderId, orderId))
      .for("no key update");
    const changed = await saveStatus(tx, refund, status);
    if (!order || !changed) return state;
    await recordEvent(tx, {
      orderId,
      at: now(),
      source: "refund",
      said: status.outcome,
      outcome: changed.state === state ? "unchanged" : changed.state,
      detail: { refundId: id, ...status },
    });
    if (changed.state === "settled") await notifyOfSettlementLater(tx, config, order, refund);
    if (status.outcome === "failed") {
      const { reason } = status;
      await reportFailedRefundLater(tx, config, order, { id, amountPaise, failure: reason });
    }
    if (changed.state === "settled") await createCreditNote(tx, refund);
    return changed.state;
  });
}

/**
 * Sends or checks a refund at the provider. A refund that may have been sent is looked up by its token first, and
 * sent again only if the provider doesn't know the token. A refusal also counts only if the token is unknown,
 * since the provider may refuse a refund that it has accepted before.
 */
async function requestRefundStatus(
  payments: Provider,
  { state, checks, paymentId, token, amountPaise, requestId }: ClaimedRefund,
): Promise<RefundStatus> {
  const call = { paymentId, token, amountPaise };
  if (state === "sent") return payments.refundStatus({ ...call, requestId });
  const byToken = { ...call, requestId: null };
  if (checks > 1) {
    const status = await payments.refundStatus(byToken);
    if (status.outcome !== "not found") return status;
  }
  const answer = await payments.refund(call);
  if (answer.outcome !== "refused") return answer;
  const status = await payments.refundStatus(byToken);
  if (status.outcome !== "not found") return status;
  return { outcome: "failed", requestId: null, reason: answer.reason };
}

const nextStates = { queued: "sent", settled: "settled", failed: "failed" } as const;

/** Saves the provider's answer, unless the refund has changed since it was claimed. */
async function saveStatus(tx: Database, refund: ClaimedRefund, status: RefundStatus) {
  const moment = now();
  const next = getNextRefundCheck(refund.decidedAt ?? refund.createdAt, moment);
  const isOpen = status.outcome === "unknown" || status.outcome === "not found";
  const state = isOpen ? refund.state : nextStates[status.outcome];
  const isOver = state === "settled" || state === "failed";
  const [changed] = await tx
    .update(refunds)
    .set({
      state,
      nextCheckAt: isOver ? null : next,
      ...(!isOpen && { requestId: status.requestId ?? refund.requestId }),
      ...(state !== "approved" && {
        sentAt: sql`coalesce(${refunds.sentAt}, ${moment.toISOString()})`,
      }),
      ...(isOver && { endedAt: moment }),
      ...(status.outcome === "failed" && { failure: status.reason }),
    })
    .where(and(eq(refunds.id, refund.id), eq(refunds.state, refund.state)))
    .returning({ state: refunds.state });
  return changed;
}

/** Times after a refund's approval: frequent at first, then daily for a month. */
const checksAfter = [
  ...[1, 2, 5, 15, 30].map((minutes) => minutes * minute),
  ...[1, 3, 6, 12].map((hours) => hours * hour),
  ...Array.from({ length: 30 }, (_, days) => (days + 1) * day),
];

/** Returns the time of the next check of an open refund; null after the last one. */
export function getNextRefundCheck(decidedAt: Date, moment: Date): Date | null {
  const age = moment.getTime() - decidedAt.getTime();
  const after = checksAfter.find((check) => check > age);
  return after === undefined ? null : new Date(decidedAt.getTime() + after);
}
