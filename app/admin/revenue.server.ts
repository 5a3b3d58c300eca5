import { and, eq, gte, lt, sql } from "drizzle-orm";
import type { Actor } from "../accounts/actor.server.ts";
import { authorize } from "../accounts/permissions.server.ts";
import { refunds } from "../payments/refunds/tables.server.ts";
import { orders } from "../payments/tables.server.ts";
import { getMonthStart } from "../platform/clock.ts";
import type { Database } from "../platform/database.server.ts";

/**
 * Computes the revenue of the calendar month of `moment` and of the month before, in paise. A settled refund is
 * subtracted in the month of its order.
 *
 * @returns `refunded`, what was given back of the current month's
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
  const givenBack = sql`coalesce(${refunds.amountPaise}, 0)`;
  const kept = sql`coalesce(sum(coalesce(${orders.amountPaise}, 0) - ${givenBack})`;
  const [row] = await db
    .select({
      current: sql<string>`${kept} filter (where ${isCurrent}), 0)`.mapWith(Number),
      previous: sql<string>`${kept} filter (where not ${isCurrent}), 0)`.mapWith(Number),
      refunded: sql<string>`coalesce(sum(${givenBack}) filter (where ${isCurrent}), 0)`.mapWith(
        Number,
      ),
    })
    .from(orders)
    .leftJoin(
      refunds,
      and(
        eq(refunds.orderId, orders.orderId),
        eq(refunds.state, "settled"),
        // A wrong amount that was given back before the right one came is no part of it.
        eq(refunds.paymentId, orders.providerPaymentId),
      ),
    )
    .where(
      and(eq(orders.status, "success"), gte(orders.createdAt, last), lt(orders.createdAt, next)),
    );
  return row ?? { current: 0, previous: 0, refunded: 0 };
}

/** In percent; 100 when there was none before and some now. Amounts in paise. */
export function computePercentChange(current: number, previous: number): number {
  if (previous === 0) return current > 0 ? 100 : 0;
  return ((current - previous) / previous) * 100;
}

type RevenueChange = { direction: "up" | "down"; words: string };

/** "+12.5% from last month"; null when nothing has changed that one decimal could show. */
export function toRevenueChange(current: number, previous: number): RevenueChange | null {
  const percent = computePercentChange(current, previous).toFixed(1);
  if (Number(percent) === 0) return null;
  return percent.startsWith("-")
    ? { direction: "down", words: `${percent}% from last month` }
    : { direction: "up", words: `+${percent}% from last month` };
}
