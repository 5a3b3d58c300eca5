/** Records what happens to orders: their events, and the reasons why an admin has to resolve them. */
import { randomInt } from "node:crypto";
import { and, eq, isNull } from "drizzle-orm";
import type { Database } from "../platform/database.server.ts";
import { orderEvents, orders } from "./tables.server.ts";

/** The limit for events per order and source. Anyone who saw a callback can send it again. */
export const maxUnchanged = 50;

/** Call it in a transaction that locks the order's row. An event that changed the order is always recorded. */
export async function recordEvent(
  tx: Database,
  event: typeof orderEvents.$inferInsert,
): Promise<void> {
  const { orderId, source, outcome } = event;
  const alike = and(
    eq(orderEvents.orderId, orderId),
    eq(orderEvents.source, source),
    eq(orderEvents.outcome, "unchanged"),
  );
  if (outcome === "unchanged" && (await tx.$count(orderEvents, alike)) >= maxUnchanged) return;
  await tx.insert(orderEvents).values(event);
}

/** Records once that the provider could not be asked. An admin who resolves it closes it permanently. */
export async function recordUnreachable(tx: Database, orderId: string): Promise<void> {
  await tx
    .update(orders)
    .set({ reasonToResolve: "unreachable", resolvedAt: null })
    .where(and(eq(orders.orderId, orderId), isNull(orders.reasonToResolve)));
}

/** Records that an order paid for an earlier purchase again, so that an admin resolves it. */
export async function recordPaidTwice(tx: Database, orderId: string): Promise<void> {
  await tx.update(orders).set({ reasonToResolve: "paid twice" }).where(eq(orders.orderId, orderId));
}

/** Records that nothing could be delivered for a paid order, so that an admin refunds it. */
export async function recordUndeliverable(tx: Database, orderId: string): Promise<void> {
  await tx
    .update(orders)
    .set({ reasonToResolve: "undeliverable" })
    .where(eq(orders.orderId, orderId));
}

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

/**
 * Creates an id: the prefix, eight random characters and the time in milliseconds. An order's has 25 characters and a
 * refund's 23, which are the provider's limits.
 */
export function createPaymentId(prefix: "TXN_" | "R_", moment: Date): string {
  const random = Array.from({ length: 8 }, () => alphabet[randomInt(alphabet.length)]);
  return `${prefix}${random.join("")}${moment.getTime()}`;
}
