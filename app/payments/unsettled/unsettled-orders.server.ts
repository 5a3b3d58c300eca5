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
  type ListPage,
  type Order,
  type Part,
  readPageOrLast,
} from "../../platform/list.server.ts";
import { formatUnsettledReason } from "../decide.ts";
import type { Payments } from "../payments.server.ts";
import { decidedWithin, overdueAfter, type RefundState } from "../refund-rules.ts";
import { checkRefund } from "../refunds/send-refunds.server.ts";
import { refunds } from "../refunds/tables.server.ts";
import { type OrderOutcome, settleOrder } from "../settle-order.server.ts";
import { orderEvents, orders } from "../tables.server.ts";

/** An order that does not settle with time, so that someone has to look into it. */
export type UnsettledOrder = {
  orderId: string;
  /** Null when the account is gone. */
  buyerId: string | null;
  buyer: string;
  amountPaise: number;
  createdAt: Date;
  why: string;
};

/** The last check is on the eighth day. */
const checksTake = 9 * day;

/**
 * Lists, the newest first, the orders that were given up on, those whose settling fails over and over,
 * those that failed although the payer came back as paid or that could not be asked about since, those
 * that a wrong amount was paid for, those that were paid when their buyer's account was gone or for the same
 * materials as an earlier one, and those whose refund is asked for, has failed, or takes longer than a week.
 */
export async function listUnsettledOrders(db: Database, limit: number): Promise<UnsettledOrder[]> {
  const orderBy = [desc(orders.createdAt), desc(orders.orderId)];
  return readUnsettled(db, { where: undefined, orderBy, limit });
}

const unsettledPerPage = 50;

/** The same in pages. @param after the cursor that an earlier page gave; null is the first */
export async function listUnsettledOrderPage(
  db: Database,
  actor: Actor | null,
  after: string | null,
): Promise<ListPage<UnsettledOrder>> {
  authorize(actor, "order.look-into");
  return readPageOrLast(newestFirst, { cursor: after, size: unsettledPerPage }, (part) =>
    readUnsettled(db, part),
  );
}

const newestFirst: Order<UnsettledOrder> = {
  keys: [
    { by: orders.createdAt, type: "timestamptz", of: ({ createdAt }) => createdAt },
    { by: orders.orderId, type: "text", of: ({ orderId }) => orderId },
  ],
  direction: "desc",
};

async function readUnsettled(
  db: Database,
  { where, orderBy, limit }: Part,
): Promise<UnsettledOrder[]> {
  const rows = await db
    .select({
      orderId: orders.orderId,
      buyerId: orders.buyerId,
      buyer: users.email,
      amountPaise: orders.amountPaise,
      createdAt: orders.createdAt,
      concern: orders.concern,
      reason: lastReason,
      refund: lastRefund,
    })
    .from(orders)
    .leftJoin(users, eq(users.id, orders.buyerId))
    .where(and(isUnsettled(now()), where))
    .orderBy(...orderBy)
    .limit(limit);
  return rows.map(({ buyer, amountPaise, concern, reason, refund, ...order }) => ({
    ...order,
    buyer: buyer ?? "An account that is gone",
    amountPaise: amountPaise ?? 0,
    why:
      (refund && formatRefundReason(refund)) ??
      (concern ? concerns[concern] : formatUnsettledReason(reason)),
  }));
}

type LastRefund = { state: RefundState; failure: string | null; askedAt: string };

/** Null for one that is not why the order stands here. */
function formatRefundReason({ state, failure, askedAt }: LastRefund): string | null {
  const decidedBy = new Date(new Date(askedAt).getTime() + decidedWithin);
  if (state === "asked")
    return `A refund is asked for: decide by ${formatShortDateTime(decidedBy)}.`;
  if (state === "failed") return `Its refund failed: ${failure ?? "the provider says no more"}.`;
  if (state === "approved" || state === "sent") return "Its refund has taken more than a week.";
  return null;
}

const concerns = {
  "no account": "It was paid when its buyer's account was gone: give it back.",
  "paid twice": "It paid for the same materials as an earlier payment.",
  unreachable: "It failed, and the provider could not be asked whether it was paid since.",
} as const;

/**
 * Takes an order off the list once it was settled outside of the product.
 *
 * @param note what came of it, for the history
 * @throws {Conflict} when it is settled, or somebody has looked into it already.
 */
export async function closeUnsettledOrder(
  db: Database,
  actor: Actor | null,
  { orderId, note }: { orderId: string; note: string },
): Promise<void> {
  authorize(actor, "order.look-into");
  await db.transaction(async (tx) => {
    // Locked before checking that it is on the list: of two concurrent calls, the second finds it gone.
    const own = eq(orders.orderId, orderId);
    await tx.select({ orderId: orders.orderId }).from(orders).where(own).for("no key update");
    const moment = now();
    const looked = await tx
      .update(orders)
      .set({ lookedIntoAt: moment })
      .where(and(own, isUnsettled(moment)))
      .returning({ orderId: orders.orderId });
    const asked = and(eq(refunds.orderId, orderId), eq(refunds.state, "asked"));
    if ((await tx.$count(refunds, asked)) > 0) throw new Conflict("Decide about its refund first.");
    if (looked.length === 0)
      throw new Conflict("It is settled, or somebody has looked into it already.");
    const subject = { type: "order", id: orderId };
    await recordAuditEvents(tx, [{ actor, event: "order.look-into", subject, after: { note } }]);
  });
}

/**
 * Asks the provider about an order again, and settles it by the answer; its open refund goes a step further.
 *
 * @returns how the order stands then, and how its refund does, if one was open
 * @throws {NotFound} when there is no such order.
 */
export async function checkUnsettledOrder(
  app: AppContext,
  payments: Payments,
  actor: Actor | null,
  orderId: string,
): Promise<OrderOutcome & { refund: RefundState | null }> {
  authorize(actor, "order.look-into");
  const outcome = await settleOrder(app, payments, { orderId, source: "verification" });
  if (!outcome) throw new NotFound("There is no such order.");
  const refund = await checkRefund(app, payments, orderId);
  const after = { status: outcome.status, ...(refund && { refund }) };
  const subject = { type: "order", id: orderId };
  await recordAuditEvents(app.db, [{ actor, event: "order.ask", subject, after }]);
  return { ...outcome, refund };
}

/** Counts the orders that {@link listUnsettledOrders} would list. */
export function countUnsettledOrders(db: Database): Promise<number> {
  return db.$count(orders, isUnsettled(now()));
}

/**
 * True in SQL for an unsettled order. Each part of the union uses its own index. A refund settles an order,
 * which returns to the list only when the refund fails or takes too long.
 */
function isUnsettled(moment: Date): SQL {
  const longAgo = new Date(moment.getTime() - checksTake);
  const isStuck = or(isNull(orders.nextCheckAt), lt(orders.createdAt, longAgo));
  const isNew = and(isNull(orders.lookedIntoAt), not(hasRefund(["approved", "sent", "settled"])));
  return sql`${orders.orderId} in (
    select ${orders.orderId} from ${orders} where ${isNew} and ${orders.orderId} in (
      ${selectOrdersWhere(and(eq(orders.status, "pending"), isStuck))}
      union ${selectOrdersWhere(isNotNull(orders.concern))}
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

/** It was not looked into since, and no other refund followed. */
const isFailed = and(
  eq(refunds.state, "failed"),
  or(isNull(orders.lookedIntoAt), lt(orders.lookedIntoAt, refunds.endedAt)),
  not(hasRefund(["asked", "approved", "sent", "settled"])),
);

function isOverdue(moment: Date): SQL | undefined {
  const longAgo = new Date(moment.getTime() - overdueAfter);
  const dueAt = sql`${refunds.decidedAt} + ${`${overdueAfter} ms`}::interval`;
  return and(
    inArray(refunds.state, ["approved", "sent"]),
    lt(refunds.decidedAt, longAgo),
    or(isNull(orders.lookedIntoAt), lt(orders.lookedIntoAt, dueAt)),
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

/** A wrong amount stays the reason, whatever a later check said. */
const lastReason = sql<string | null>`(
  select ${orderEvents.detail}->>'reason' from ${orderEvents}
  where ${orderEvents.orderId} = ${orders.orderId} and ${orderEvents.source} <> 'start'
  order by ${isWrongAmount} desc nulls last, ${orderEvents.at} desc limit 1)`;

const lastRefund = sql<LastRefund | null>`(
  select json_build_object('state', own.state, 'failure', own.failure, 'askedAt', own.created_at)
  from refunds own where own.order_id = ${orders.orderId} order by own.created_at desc limit 1)`;
