import { and, desc, eq, isNotNull, isNull, lt, ne, or, type SQL, sql } from "drizzle-orm";
import type { Actor } from "../accounts/actor.server.ts";
import { authorize } from "../accounts/permissions.server.ts";
import { users } from "../accounts/tables.server.ts";
import type { AppContext } from "../platform/app-context.server.ts";
import { recordAuditEvents } from "../platform/audit.server.ts";
import { day, now } from "../platform/clock.ts";
import type { Database } from "../platform/database.server.ts";
import { Conflict, NotFound } from "../platform/errors.ts";
import { type ListPage, type Order, type Part, readPage } from "../platform/list.server.ts";
import { whyUnsettled } from "./decide.ts";
import type { Payments } from "./payments.server.ts";
import { type OrderOutcome, settleOrder } from "./settle-order.server.ts";
import { orderEvents, orders } from "./tables.server.ts";

/** An order that time alone does not settle: somebody has to look. */
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
 * that a wrong amount was paid for, and those that were paid when their buyer's account was gone.
 */
export async function listUnsettledOrders(db: Database, limit: number): Promise<UnsettledOrder[]> {
  const orderBy = [desc(orders.createdAt), desc(orders.orderId)];
  return readUnsettled(db, { where: undefined, orderBy, limit });
}

export const unsettledPerPage = 50;

/** The same in pages. @param after the cursor that an earlier page gave; null is the first */
export async function pageOfUnsettledOrders(
  db: Database,
  actor: Actor | null,
  after: string | null,
): Promise<ListPage<UnsettledOrder>> {
  authorize(actor, "order.look-into");
  return readPage(newestFirst, { cursor: after, size: unsettledPerPage }, (part) =>
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
    })
    .from(orders)
    .leftJoin(users, eq(users.id, orders.buyerId))
    .where(and(isUnsettled(now()), where))
    .orderBy(...orderBy)
    .limit(limit);
  return rows.map(({ buyer, amountPaise, concern, reason, ...order }) => ({
    ...order,
    buyer: buyer ?? "An account that is gone",
    amountPaise: amountPaise ?? 0,
    why: concern ? concerns[concern] : whyUnsettled(reason),
  }));
}

const concerns = {
  "no account": "It was paid when its buyer's account was gone: give it back.",
  unreachable: "It failed, and the provider could not be asked whether it was paid since.",
} as const;

/**
 * Takes an order off the list, once somebody has settled it outside of the product.
 *
 * @param note what came of it, for the history
 * @throws {Conflict} when it is settled, or somebody has looked into it already.
 */
export async function lookIntoOrder(
  db: Database,
  actor: Actor | null,
  { orderId, note }: { orderId: string; note: string },
): Promise<void> {
  authorize(actor, "order.look-into");
  await db.transaction(async (tx) => {
    const moment = now();
    const looked = await tx
      .update(orders)
      .set({ lookedIntoAt: moment })
      .where(and(eq(orders.orderId, orderId), isUnsettled(moment)))
      .returning({ orderId: orders.orderId });
    if (looked.length === 0)
      throw new Conflict("It is settled, or somebody has looked into it already.");
    const subject = { type: "order", id: orderId };
    await recordAuditEvents(tx, [{ actor, event: "order.look-into", subject, after: { note } }]);
  });
}

/**
 * Asks the provider about an order again, and settles it by the answer.
 *
 * @throws {NotFound} when there is no such order.
 */
export async function askAboutOrder(
  app: AppContext,
  payments: Payments,
  actor: Actor | null,
  orderId: string,
): Promise<OrderOutcome> {
  authorize(actor, "order.look-into");
  const outcome = await settleOrder(app, payments, { orderId, source: "verification" });
  if (!outcome) throw new NotFound("There is no such order.");
  const { status } = outcome;
  const subject = { type: "order", id: orderId };
  await recordAuditEvents(app.db, [{ actor, event: "order.ask", subject, after: { status } }]);
  return outcome;
}

/** How many orders {@link listUnsettledOrders} would list. */
export function countUnsettledOrders(db: Database): Promise<number> {
  return db.$count(orders, isUnsettled(now()));
}

/** Each part of the union is found by an index of its own. */
function isUnsettled(moment: Date): SQL | undefined {
  const longAgo = new Date(moment.getTime() - checksTake);
  const isStuck = or(isNull(orders.nextCheckAt), lt(orders.createdAt, longAgo));
  return and(
    isNull(orders.lookedIntoAt),
    sql`${orders.orderId} in (
      ${ordersThat(and(eq(orders.status, "pending"), isStuck))}
      union ${ordersThat(isNotNull(orders.concern))}
      union ${reported(isWrongAmount, ne(orders.status, "success"))}
      union ${reported(isDisagreement, and(eq(orders.status, "failed"), isNull(orders.nextCheckAt)))})`,
  );
}

function ordersThat(condition: SQL | undefined): SQL {
  return sql`select ${orders.orderId} from ${orders} where ${condition}`;
}

function reported(reason: SQL, condition: SQL | undefined): SQL {
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
