import { and, desc, eq, notInArray } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { profiles, users } from "../../accounts/tables.server.ts";
import { formatRupees } from "../../payments/money.ts";
import { refunds } from "../../payments/refunds/tables.server.ts";
import { orders } from "../../payments/tables.server.ts";
import type { Config } from "../../platform/config.server.ts";
import type { Database } from "../../platform/database.server.ts";
import { reviewOrders, serviceReviews } from "../tables.server.ts";
import { boughtType, nameOf } from "./own-payments.server.ts";
import { momentOnPaper, type Receipt, refundOnPaper } from "./receipt.ts";

/**
 * Reads the receipt of a paid order: for its buyer, and for god admins.
 *
 * @returns null for any other order, whether or not there is one
 */
export async function readReceipt(
  db: Database,
  actor: Pick<Actor, "id" | "isGodAdmin">,
  orderId: string,
  { name, merchant, supportEmail }: Config["product"],
): Promise<Receipt | null> {
  const isTheirs = actor.isGodAdmin ? undefined : eq(orders.buyerId, actor.id);
  const [row] = await db
    .select({
      orderId: orders.orderId,
      serviceType: boughtType,
      amountPaise: orders.amountPaise,
      createdAt: orders.createdAt,
      settledAt: orders.settledAt,
      providerPaymentId: orders.providerPaymentId,
      fullName: profiles.fullName,
      email: users.email,
    })
    .from(orders)
    .leftJoin(reviewOrders, eq(reviewOrders.orderId, orders.orderId))
    .leftJoin(serviceReviews, eq(serviceReviews.orderId, orders.orderId))
    .leftJoin(users, eq(users.id, orders.buyerId))
    .leftJoin(profiles, eq(profiles.id, orders.buyerId))
    .where(and(eq(orders.orderId, orderId), eq(orders.status, "success"), isTheirs));
  if (!row) return null;
  // At most one is open or settled; those that failed before it are its earlier tries.
  const [given] = await db
    .select()
    .from(refunds)
    .where(and(eq(refunds.orderId, orderId), notInArray(refunds.state, ["asked", "declined"])))
    .orderBy(desc(refunds.createdAt), desc(refunds.id))
    .limit(1);
  return {
    orderId: row.orderId,
    productName: name,
    merchant,
    supportEmail,
    service: nameOf(row.serviceType),
    amount: formatRupees(row.amountPaise ?? 0),
    paidAt: momentOnPaper(row.settledAt ?? row.createdAt),
    providerPaymentId: row.providerPaymentId,
    buyer: {
      name: row.fullName?.trim() || null,
      email: row.email ?? "an account that is gone",
    },
    refund: given ? refundOnPaper(given) : null,
  };
}
