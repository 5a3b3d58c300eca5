import { and, eq, gte, lt, sql } from "drizzle-orm";
import type { Actor } from "../accounts/actor.server.ts";
import { authorize } from "../accounts/permissions.server.ts";
import { refunds } from "../payments/refunds/tables.server.ts";
import { orders } from "../payments/tables.server.ts";
import { getMonthStart } from "../platform/clock.ts";
import type { Database } from "../platform/database.server.ts";

/**
 * Computes revenue in paise for the calendar month of `moment` and the month before. A settled refund is
 * subtracted in the month of its order.
 *
 * @returns `refunded`: the settled refunds of the current month's orders
 */
export async function getRevenue(
  db: Database,
  actor: Actor | null,
  moment: Date,
): Promise<{ current: number; previous: number; refunded: number }> {
  authorize(actor, "product.oversee");
  const [last, first, next] = [-1, 0, 1].map((offset) => getMonthStart(moment, offset)) as [
    Date,
    Date,
    Date,
  ];
  const isCurrent = sql`${orders.createdAt} >= ${first.toISOString()}::timestamptz`;
  // An order has at most one settled refund.
  const refunded = sql`coalesce(${refunds.amountPaise}, 0)`;
  const net = sql`coalesce(sum(coalesce(${orders.amountPaise}, 0) - ${refunded})`;
  const [row] = await db
    .select({
      current: sql<string>`${net} filter (where ${isCurrent}), 0)`.mapWith(Number),
      previous: sql<string>`${net} filter (where not ${isCurrent}), 0)`.mapWith(Number),
      refunded: sql<string>`coalesce(sum(${refunded}) filter (where ${isCurrent}), 0)`.mapWith(
        Number,
      ),
    })
    .from(orders)
    .leftJoin(
      refunds,
      and(
        eq(refunds.orderId, orders.orderId),
        eq(refunds.state, "settled"),
        // A refunded payment of a wrong amount, later paid correctly, isn't revenue of this order.
        eq(refunds.paymentId, orders.providerPaymentId),
      ),
    )
    .where(
      and(eq(orders.status, "success"), gte(orders.createdAt, last), lt(orders.createdAt, next)),
    );
  return row ?? { current: 0, previous: 0, refunded: 0 };
}

/** Returns the change in percent: 100 when the previous amount is 0 and the current is not. Amounts in paise. */
export function computePercentChange(current: number, previous: number): number {
  if (previous === 0) return current > 0 ? 100 : 0;
  return ((current - previous) / previous) * 100;
}

type RevenueChange = { direction: "up" | "down"; text: string };

/** Returns "+12.5% from last month"; null when the change rounds to 0.0%. */
export function toRevenueChange(current: number, previous: number): RevenueChange | null {
  const percent = computePercentChange(current, previous).toFixed(1);
  if (Number(percent) === 0) return null;
  return percent.startsWith("-")
    ? { direction: "down", text: `${percent}% from last month` }
    : { direction: "up", text: `+${percent}% from last month` };
}
