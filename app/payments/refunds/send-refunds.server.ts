import { and, eq, inArray, lte, sql } from "drizzle-orm";
import type { AppContext } from "../../platform/app-context.server.ts";
import { day, hour, minute, now, second } from "../../platform/clock.ts";
import type { Config } from "../../platform/config.server.ts";
import type { Database } from "../../platform/database.server.ts";
import { logFailure } from "../../platform/log.server.ts";
import type { Task } from "../../platform/tasks.server.ts";
import { notifyOfSettlementLater, reportFailedRefundLater } from "../emails.tsx";
import type { Payments, RefundStatus } from "../payments.server.ts";
import { recordEvent } from "../settle-order.server.ts";
import { orders } from "../tables.server.ts";
import { sendRefundsTask } from "./refund-orders.server.ts";
import type { RefundState } from "../refund-rules.ts";
import { refunds } from "./tables.server.ts";

/** Each asks the provider at the same time, and holds one connection for a moment. */
const batch = 5;
/** The next minute's run goes on where this one stops. */
const longestRun = 45 * second;
/** A refund whose sending is cut off is taken up again after this. */
const claimedFor = minute;

type Provider = Pick<Payments, "refund" | "refundStatus">;

/** Every minute, and at once after an approval, sends the refunds that are due and asks about those sent. */
export function sendRefunds(config: Config, payments: Provider): Task<object> {
  return {
    ...sendRefundsTask,
    schedule: "* * * * *",
    async run(_data, { db, log }) {
      const app = { db, config, log };
      const end = now().getTime() + longestRun;
      while (now().getTime() < end) {
        const due = await claimRefunds(db, lte(refunds.nextCheckAt, now()));
        if (due.length === 0) return;
        await Promise.all(due.map((refund) => advanceRefundOrLog(app, payments, refund)));
      }
    },
  };
}

/**
 * Takes the open refund of an order one step further now, whenever its time would come.
 *
 * @returns how it stands then; null when there is none.
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
 * Claims some refunds, so that no other process has them meanwhile. The claim is committed before sending:
 * after a crash the token is looked up before the refund is sent again.
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
    // An array is made once; a plain subquery may be run again for each row and take more than a batch.
    .where(sql`${refunds.id} = any(array(${due}))`)
    .returning();
  return claimed as ClaimedRefund[];
}

/** One refund that cannot be recorded must not keep the others waiting. */
async function advanceRefundOrLog(
  app: AppContext,
  payments: Provider,
  refund: ClaimedRefund,
): Promise<void> {
  try {
    await advanceRefund(app, payments, refund);
  } catch (error) {
    logFailure(app.log, error, "refund not taken further", { order: refund.orderId });
  }
}

/** Asks the provider outside of any transaction, then records what came of it in one. */
async function advanceRefund(
  { db, config, log }: AppContext,
  payments: Provider,
  refund: ClaimedRefund,
): Promise<RefundState> {
  const { id, orderId, state, amountPaise } = refund;
  const said = await requestRefundStatus(payments, refund);
  const facts = { order: orderId, refund: id, state, said };
  if (said.outcome === "failed") log.error(facts, "refund failed");
  else if (said.outcome === "unknown") log.warn(facts, "refund could not be asked about");
  else log.info(facts, "refund looked at");

  return db.transaction(async (tx) => {
    const [order] = await tx
      .select({ orderId: orders.orderId, buyerId: orders.buyerId })
      .from(orders)
      .where(eq(orders.orderId, orderId))
      .for("no key update");
    const changed = await writeDown(tx, refund, said);
    if (!order || !changed) return state;
    await recordEvent(tx, {
      orderId,
      at: now(),
      source: "refund",
      said: said.outcome,
      outcome: changed.state === state ? "unchanged" : changed.state,
      detail: { refundId: id, ...said },
    });
    if (changed.state === "settled") await notifyOfSettlementLater(tx, config, order, refund);
    if (said.outcome === "failed") {
      await reportFailedRefundLater(tx, config, order, { id, amountPaise, failure: said.reason });
    }
    return changed.state;
  });
}

/**
 * Asks the provider about a refund. A refund that may have been sent is looked up by its token first, and sent
 * again with the same token only if the provider does not know it. A refusal counts only if the provider does
 * not know the token: it may refuse what it has accepted.
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

const became = { queued: "sent", settled: "settled", failed: "failed" } as const;

/** A refund that has ended does not change any more. */
async function writeDown(tx: Database, refund: ClaimedRefund, said: RefundStatus) {
  const moment = now();
  const next = getNextRefundCheck(refund.decidedAt ?? refund.createdAt, moment);
  const isOpen = said.outcome === "unknown" || said.outcome === "not found";
  const state = isOpen ? refund.state : became[said.outcome];
  const isOver = state === "settled" || state === "failed";
  const [changed] = await tx
    .update(refunds)
    .set({
      state,
      nextCheckAt: isOver ? null : next,
      ...(!isOpen && { requestId: said.requestId ?? refund.requestId }),
      ...(state !== "approved" && {
        sentAt: sql`coalesce(${refunds.sentAt}, ${moment.toISOString()})`,
      }),
      ...(isOver && { endedAt: moment }),
      ...(said.outcome === "failed" && { failure: said.reason }),
    })
    .where(and(eq(refunds.id, refund.id), eq(refunds.state, refund.state)))
    .returning({ state: refunds.state });
  return changed;
}

/** After a refund was approved: first often, then daily for a month. */
const checksAfter = [
  ...[1, 2, 5, 15, 30].map((minutes) => minutes * minute),
  ...[1, 3, 6, 12].map((hours) => hours * hour),
  ...Array.from({ length: 30 }, (_, days) => (days + 1) * day),
];

/** When the provider is asked next about an open refund; null when it was asked enough. */
export function getNextRefundCheck(decidedAt: Date, moment: Date): Date | null {
  const age = moment.getTime() - decidedAt.getTime();
  const after = checksAfter.find((check) => check > age);
  return after === undefined ? null : new Date(decidedAt.getTime() + after);
}
