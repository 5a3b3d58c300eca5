import { and, eq, isNull, lt, ne, or } from "drizzle-orm";
import { minute, now, second } from "../platform/clock.ts";
import type { Database } from "../platform/database.server.ts";
import type { AppContext } from "../platform/app-context.server.ts";
import { logFailure } from "../platform/log.server.ts";
import type { RateLimit } from "../platform/rate-limit.server.ts";
import type { Payments, PurchaseFact } from "./payments.server.ts";
import { settleOrder } from "./settle-order.server.ts";
import { orders } from "./tables.server.ts";

/** The facts on the result screen. Only the buyer sees more than status and amount. */
type OrderView = {
  status: "pending" | "success" | "failed";
  amountPaise: number;
  /** For the buyer: where the same thing can be paid for again. */
  retryPath: string | null;
  /** For the buyer: what to know of what was bought. */
  facts: PurchaseFact[];
};

/** The limit for reading results: generous, since many people share the address of a mobile network. */
export const resultByClient: RateLimit = {
  name: "payment-result",
  max: 300,
  windowMs: 5 * minute,
};

const askedAtMostEvery = 5 * second;

/**
 * Returns an order to anyone with its transaction id. If its buyer looks at an unpaid one, the provider is
 * asked too, though not every time.
 *
 * @returns null when there is no such order.
 */
export async function inspectOrder(
  app: AppContext,
  payments: Payments,
  { orderId, viewerId }: { orderId: string; viewerId: string | null },
): Promise<OrderView | null> {
  if (viewerId && (await canCheckAgain(app.db, orderId, viewerId))) {
    try {
      await settleOrder(app, payments, { orderId, source: "verification" });
    } catch (error) {
      logFailure(app.log, error, "payment not settled while looked at", { order: orderId });
    }
  }
  const [order] = await app.db.select().from(orders).where(eq(orders.orderId, orderId));
  if (!order) return null;
  const { status, amountPaise, buyerId, retryPath } = order;
  const isBuyer = viewerId !== null && viewerId === buyerId;
  return {
    status,
    amountPaise: amountPaise ?? 0,
    retryPath: isBuyer ? retryPath : null,
    facts: isBuyer && status === "success" ? await payments.describe(app.db, order) : [],
  };
}

/** True for one look in five seconds, of the buyer at an order that is not paid. */
async function canCheckAgain(db: Database, orderId: string, viewerId: string): Promise<boolean> {
  const moment = now();
  const before = new Date(moment.getTime() - askedAtMostEvery);
  const claimed = await db
    .update(orders)
    .set({ lastCheckedAt: moment })
    .where(
      and(
        eq(orders.orderId, orderId),
        eq(orders.buyerId, viewerId),
        ne(orders.status, "success"),
        or(isNull(orders.lastCheckedAt), lt(orders.lastCheckedAt, before)),
      ),
    )
    .returning({ orderId: orders.orderId });
  return claimed.length > 0;
}
