import { and, eq, isNull, lt, ne, or } from "drizzle-orm";
import { minute, now, second } from "../platform/clock.ts";
import type { Database } from "../platform/database.server.ts";
import type { AppContext } from "../platform/app-context.server.ts";
import { logFailure } from "../platform/log.server.ts";
import { parseOwnPath } from "../platform/own-path.ts";
import type { RateLimit } from "../platform/rate-limit.server.ts";
import type { Payments } from "./payments.server.ts";
import { settleOrder } from "./settle-order.server.ts";
import { orders } from "./tables.server.ts";

/** The limit for reading results. It is generous, since many people share the address of a mobile network. */
export const resultByClient: RateLimit = {
  name: "payment-result",
  max: 300,
  windowMs: 5 * minute,
};

const minCheckInterval = 5 * second;

/**
 * Returns an order to anyone with its transaction id. If the buyer views an unpaid order, the provider is asked
 * too, at most once in five seconds. Only the buyer sees more than status and amount.
 *
 * @returns null if the order does not exist
 */
export async function inspectOrder(
  app: AppContext,
  payments: Payments,
  { orderId, viewerId }: { orderId: string; viewerId: string | null },
) {
  if (viewerId && (await canCheckAgain(app.db, orderId, viewerId))) {
    try {
      await settleOrder(app, payments, { orderId, source: "verification" });
    } catch (error) {
      logFailure(app.log, error, "payment check on the result page failed", { order: orderId });
    }
  }
  const [order] = await app.db.select().from(orders).where(eq(orders.orderId, orderId));
  if (!order) return null;
  const { status, amountPaise, buyerId, retryPath } = order;
  const isBuyer = viewerId !== null && viewerId === buyerId;
  return {
    status,
    amountPaise: amountPaise ?? 0,
    retryPath: isBuyer ? parseOwnPath(retryPath) : null,
    facts: isBuyer && status === "success" ? await payments.describe(app.db, order) : [],
  };
}

/** Returns true once in five seconds, for the buyer of an unpaid order. */
async function canCheckAgain(db: Database, orderId: string, viewerId: string): Promise<boolean> {
  const moment = now();
  const checkedBefore = new Date(moment.getTime() - minCheckInterval);
  const claimed = await db
    .update(orders)
    .set({ lastCheckedAt: moment })
    .where(
      and(
        eq(orders.orderId, orderId),
        eq(orders.buyerId, viewerId),
        ne(orders.status, "success"),
        or(isNull(orders.lastCheckedAt), lt(orders.lastCheckedAt, checkedBefore)),
      ),
    )
    .returning({ orderId: orders.orderId });
  return claimed.length > 0;
}
