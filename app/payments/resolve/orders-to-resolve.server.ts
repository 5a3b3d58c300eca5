import {
  and,
  desc,
  eq,
  inArray,
  isNotNull,
  isNull,
  lt,
  ne,
  not,
  or,
  type SQL,
  sql,
} from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import { users } from "../../accounts/tables.server.ts";
import type { AppContext } from "../../platform/app-context.server.ts";
import { recordAuditEvents } from "../../platform/audit.server.ts";
import { day, now, formatShortDateTime } from "../../platform/clock.ts";
import type { Database } from "../../platform/database.server.ts";
import { Conflict, NotFound } from "../../platform/errors.ts";
import {
  buildOrder,
  countUpTo,
  type Part,
  readPageOrLast,
} from "../../platform/lists/list.server.ts";
import type { Count } from "../../platform/lists/lists.ts";
import { formatDecisionReason } from "../decide.ts";
import type { Payments } from "../payments.server.ts";
import { decidedWithin, overdueAfter, type RefundState } from "../refund-rules.ts";
import { checkRefund } from "../refunds/send-refunds.server.ts";
import { refunds } from "../refunds/tables.server.ts";
import { type OrderOutcome, settleOrder } from "../settle-order.server.ts";
import { orderEvents, orders } from "../tables.server.ts";

/** The last check is on the eighth day. */
const checksTake = 9 * day;

/**
 * Lists the orders to resolve, newest first:
 *
 * - checks ended without a result, or settling keeps failing;
 * - the order failed, but the buyer returned as paid or the last check got no answer;
 * - a wrong amount was paid;
 * - it was paid after the buyer's account was deleted, for the same materials as an earlier order, or for something that
 *   can no longer be delivered;
 * - its refund is requested, has failed, or has taken longer than a week.
 */
export async function listOrdersToResolve(db: Database, limit: number) {
  const orderBy = [desc(orders.createdAt), desc(orders.orderId)];
  return selectToResolve(db, { where: undefined, orderBy, limit });
}

const ordersPerPage = 50;

/** Lists them in pages. @param after the cursor from an earlier page; null for the first page */
export async function listOrdersToResolvePage(
  db: Database,
  actor: Actor | null,
  after: string | null,
) {
  authorize(actor, "order.resolve");
  return readPageOrLast(newestFirst, { cursor: after, size: ordersPerPage }, (part) =>
    selectToResolve(db, part),
  );
}

const newestFirst = buildOrder("desc", { createdAt: orders.createdAt, orderId: orders.orderId });

async function selectToResolve(db: Database, { where, orderBy, limit }: Part) {
  const rows = await db
    .select({
      orderId: orders.orderId,
      /** Null if the account was deleted or closed. */
      buyerId: users.id,
      buyer: users.email,
      amountPaise: orders.amountPaise,
      createdAt: orders.createdAt,
      reasonToResolve: orders.reasonToResolve,
      reason: lastReason,
      refund: lastRefund,
    })
    .from(orders)
    .leftJoin(users, and(eq(users.id, orders.buyerId), isNull(users.closedAt)))
    .where(and(isToResolve(now()), where))
    .orderBy(...orderBy)
    .limit(limit);
  return rows.map(({ buyer, amountPaise, reasonToResolve, reason, refund, ...order }) => ({
    ...order,
    buyer: buyer ?? "Deleted account",
    amountPaise: amountPaise ?? 0,
    why:
      (refund && formatRefundReason(refund)) ??
      (reasonToResolve ? reasons[reasonToResolve] : formatDecisionReason(reason)),
  }));
}

type LastRefund = { state: RefundState; failure: string | null; askedAt: string };

/** Returns null for a refund that isn't the reason why the order is listed. */
function formatRefundReason({ state, failure, askedAt }: LastRefund): string | null {
  const decidedBy = new Date(new Date(askedAt).getTime() + decidedWithin);
  if (state === "asked") return `Refund requested: decide by ${formatShortDateTime(decidedBy)}.`;
  if (state === "failed") return `The refund failed: ${failure ?? "PayU gave no reason"}.`;
  if (state === "approved" || state === "sent") return "The refund has taken more than a week.";
  return null;
}

const reasons = {
  "no account": "Paid after the buyer's account was deleted. Refund it.",
  "paid twice": "Paid for the same materials as an earlier payment.",
  undeliverable: "Paid for something that could no longer be delivered. Refund it.",
  unreachable: "The payment failed, and PayU couldn't tell us if it was paid later.",
} as const;

/**
 * Takes an order off the list after an admin resolved it outside of Naksha.
 *
 * @param note the result, for the history
 * @throws {Conflict} if the order is already settled or resolved
 */
export async function resolveOrder(
  db: Database,
  actor: Actor | null,
  { orderId, note }: { orderId: string; note: string },
): Promise<void> {
  authorize(actor, "order.resolve");
  await db.transaction(async (tx) => {
    // The lock comes before the check, so that the second of two concurrent calls finds it resolved.
    const isThisOrder = eq(orders.orderId, orderId);
    await tx
      .select({ orderId: orders.orderId })
      .from(orders)
      .where(isThisOrder)
      .for("no key update");
    const moment = now();
    const resolved = await tx
      .update(orders)
      .set({ resolvedAt: moment })
      .where(and(isThisOrder, isToResolve(moment)))
      .returning({ orderId: orders.orderId });
    const isRequested = and(eq(refunds.orderId, orderId), eq(refunds.state, "asked"));
    if ((await tx.$count(refunds, isRequested)) > 0)
      throw new Conflict("Decide on its refund request first.");
    if (resolved.length === 0) throw new Conflict("This order is already settled or resolved.");
    const subject = { type: "order", id: orderId };
    await recordAuditEvents(tx, [{ actor, event: "order.resolve", subject, after: { note } }]);
  });
}

/**
 * Asks the provider about an order again and settles it. An open refund is sent or checked too.
 *
 * @returns the order's status, and its refund's state if one was open
 * @throws {NotFound} if the order does not exist
 */
export async function checkOrderToResolve(
  app: AppContext,
  payments: Payments,
  actor: Actor | null,
  orderId: string,
): Promise<OrderOutcome & { refund: RefundState | null }> {
  authorize(actor, "order.resolve");
  const outcome = await settleOrder(app, payments, { orderId, source: "verification" });
  if (!outcome) throw new NotFound("Order not found.");
  const refund = await checkRefund(app, payments, orderId);
  const after = { status: outcome.status, ...(refund && { refund }) };
  const subject = { type: "order", id: orderId };
  await recordAuditEvents(app.db, [{ actor, event: "order.ask", subject, after }]);
  return { ...outcome, refund };
}

/** Counts the orders that {@link listOrdersToResolve} would list. */
export function countOrdersToResolve(db: Database): Promise<number> {
  return db.$count(orders, isToResolve(now()));
}

/** Counts up to a thousand orders to resolve, without those whose requested refund has to be decided first. */
export function countOthersToResolve(db: Database): Promise<Count> {
  return countUpTo(db, orders, and(isToResolve(now()), not(hasRefund(["asked"]))));
}

/**
 * True in SQL for an order to resolve. Each part of the union uses its own index. A refunded order returns to the
 * list only if the refund fails or takes too long.
 */
function isToResolve(moment: Date): SQL {
  const longAgo = new Date(moment.getTime() - checksTake);
  const isStuck = or(isNull(orders.nextCheckAt), lt(orders.createdAt, longAgo));
  const isNew = and(isNull(orders.resolvedAt), not(hasRefund(["approved", "sent", "settled"])));
  return sql`${orders.orderId} in (
    select ${orders.orderId} from ${orders} where ${isNew} and ${orders.orderId} in (
      ${selectOrdersWhere(and(eq(orders.status, "pending"), isStuck))}
      union ${selectOrdersWhere(isNotNull(orders.reasonToResolve))}
      union ${selectReportReason(isWrongAmount, ne(orders.status, "success"))}
      union ${selectReportReason(isDisagreement, and(eq(orders.status, "failed"), isNull(orders.nextCheckAt)))})
    union ${selectRefundsWhere(eq(refunds.state, "asked"))}
    union ${selectRefundsWhere(isFailed)}
    union ${selectRefundsWhere(isOverdue(moment))})`;
}

/** True in SQL when one of the order's refunds is in one of these states. */
function hasRefund(states: RefundState[]): SQL {
  const list = sql.join(
    states.map((state) => sql`${state}`),
    sql`, `,
  );
  return sql`exists (select 1 from refunds own
    where own.order_id = ${orders.orderId} and own.state in (${list}))`;
}

function selectRefundsWhere(condition: SQL | undefined): SQL {
  return sql`select ${refunds.orderId} from ${refunds}
    join ${orders} on ${orders.orderId} = ${refunds.orderId} where ${condition}`;
}

/** True in SQL for a failed refund that no admin has resolved since and no other refund followed. */
const isFailed = and(
  eq(refunds.state, "failed"),
  or(isNull(orders.resolvedAt), lt(orders.resolvedAt, refunds.endedAt)),
  not(hasRefund(["asked", "approved", "sent", "settled"])),
);

function isOverdue(moment: Date): SQL | undefined {
  const longAgo = new Date(moment.getTime() - overdueAfter);
  const dueAt = sql`${refunds.decidedAt} + ${`${overdueAfter} ms`}::interval`;
  return and(
    inArray(refunds.state, ["approved", "sent"]),
    lt(refunds.decidedAt, longAgo),
    or(isNull(orders.resolvedAt), lt(orders.resolvedAt, dueAt)),
  );
}

function selectOrdersWhere(condition: SQL | undefined): SQL {
  return sql`select ${orders.orderId} from ${orders} where ${condition}`;
}

function selectReportReason(reason: SQL, condition: SQL | undefined): SQL {
  return sql`select ${orders.orderId} from ${orderEvents}
    join ${orders} on ${orders.orderId} = ${orderEvents.orderId} where ${reason} and ${condition}`;
}

const isWrongAmount = sql`${orderEvents.detail}->>'reason' = 'wrong amount'`;
const isDisagreement = sql`${orderEvents.detail}->>'reason' = 'disagreement'`;

/** A wrong amount remains the reason even after later checks. */
const lastReason = sql<string | null>`(
  select ${orderEvents.detail}->>'reason' from ${orderEvents}
  where ${orderEvents.orderId} = ${orders.orderId} and ${orderEvents.source} <> 'start'
  order by ${isWrongAmount} desc nulls last, ${orderEvents.at} desc limit 1)`;

const lastRefund = sql<LastRefund | null>`(
  select json_build_object('state', own.state, 'failure', own.failure, 'askedAt', own.created_at)
  from refunds own where own.order_id = ${orders.orderId} order by own.created_at desc limit 1)`;
