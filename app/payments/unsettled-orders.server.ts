import { and, desc, eq, inArray, isNull, lt, ne, or, type SQL, sql } from "drizzle-orm";
import { users } from "../accounts/tables.server.ts";
import { day, now } from "../platform/clock.ts";
import type { Database } from "../platform/database.server.ts";
import { whyUnsettled } from "./decide.ts";
import { orderEvents, orders } from "./tables.server.ts";

/** An order that time alone does not settle: somebody has to look. */
export type UnsettledOrder = {
  orderId: string;
  buyer: string;
  amountPaise: number;
  createdAt: Date;
  why: string;
};

/** The last check is on the eighth day. */
const checksTake = 9 * day;

/**
 * Lists, the newest first, the orders that were given up on, those whose settling fails over and over,
 * those that failed although the payer came back as paid, and those that a wrong amount was paid for.
 */
export async function listUnsettledOrders(db: Database, limit: number): Promise<UnsettledOrder[]> {
  const rows = await db
    .select({
      orderId: orders.orderId,
      buyer: users.email,
      amountPaise: orders.amountPaise,
      createdAt: orders.createdAt,
      reason: lastReason,
    })
    .from(orders)
    .leftJoin(users, eq(users.id, orders.buyerId))
    .where(isUnsettled(now()))
    .orderBy(desc(orders.createdAt), desc(orders.orderId))
    .limit(limit);
  return rows.map(({ buyer, amountPaise, reason, ...order }) => ({
    ...order,
    buyer: buyer ?? "An account that is gone",
    amountPaise: amountPaise ?? 0,
    why: whyUnsettled(reason),
  }));
}

/** How many orders {@link listUnsettledOrders} would list. */
export function countUnsettledOrders(db: Database): Promise<number> {
  return db.$count(orders, isUnsettled(now()));
}

function isUnsettled(moment: Date) {
  const longAgo = new Date(moment.getTime() - checksTake);
  const reported = (reason: SQL) =>
    sql`(select ${orderEvents.orderId} from ${orderEvents} where ${reason})`;
  return or(
    and(
      eq(orders.status, "pending"),
      or(isNull(orders.nextCheckAt), lt(orders.createdAt, longAgo)),
    ),
    and(ne(orders.status, "success"), inArray(orders.orderId, reported(isWrongAmount))),
    and(
      eq(orders.status, "failed"),
      isNull(orders.nextCheckAt),
      inArray(orders.orderId, reported(isDisagreement)),
    ),
  );
}

const isWrongAmount = sql`${orderEvents.detail}->>'reason' = 'wrong amount'`;
const isDisagreement = sql`${orderEvents.detail}->>'reason' = 'disagreement'`;

/** A wrong amount stays the reason, whatever a later check said. */
const lastReason = sql<string | null>`(
  select ${orderEvents.detail}->>'reason' from ${orderEvents}
  where ${orderEvents.orderId} = ${orders.orderId} and ${orderEvents.source} <> 'start'
  order by ${isWrongAmount} desc nulls last, ${orderEvents.at} desc limit 1)`;
