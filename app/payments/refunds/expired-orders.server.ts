/** Orders are proof of payments, so only their personal details are deleted early. */
import { and, inArray, isNull, lt, ne, not, or, sql } from "drizzle-orm";
import { hasOpenAccount } from "../../accounts/sealed-accounts.server.ts";
import { day, now } from "../../platform/clock.ts";
import type { Config } from "../../platform/config.server.ts";
import type { Database } from "../../platform/database.server.ts";
import { creditNotes, refunds } from "./tables.server.ts";
import { invoices, orderEvents, orders } from "../tables.server.ts";

/** A bank can ask about a payment for this long after it was settled. */
const detailRetention = 180 * day;
/** The size of one step, which is a transaction of its own. */
const batch = 500;
/** The next run continues with the rest. */
const maxBatches = 100;

/**
 * Deletes what we sent to the provider (name, address, phone), and what people said about refunds in the order's history,
 * 180 days after the order was settled.
 *
 * @returns the number of changed orders
 */
export function deleteOldPersonalDetails(db: Database): Promise<number> {
  const settled = sql`coalesce(${orders.settledAt}, ${orders.createdAt})`;
  const before = new Date(now().getTime() - detailRetention).toISOString();
  const isOver = and(
    sql`${settled} < ${before}`,
    sql`${orders.checkoutFields} <> '{}'`,
    isNull(orders.nextCheckAt),
  );
  return runInSteps(db, async (tx) => {
    const over = tx
      .select({ orderId: orders.orderId })
      .from(orders)
      .where(isOver)
      .limit(batch)
      .for("update", { skipLocked: true });
    const changed = await tx
      .update(orders)
      .set({ checkoutFields: {} })
      .where(sql`${orders.orderId} = any(array(${over}))`)
      .returning({ orderId: orders.orderId });
    await deleteDetailsOfEvents(tx, changed);
    return changed.length;
  });
}

/** The provider's decision stays, since the order is listed by it. */
async function deleteDetailsOfEvents(tx: Database, of: { orderId: string }[]): Promise<void> {
  if (of.length === 0) return;
  await tx
    .update(orderEvents)
    .set({
      detail: sql`case when ${orderEvents.source} = 'refund'
        then ${orderEvents.detail} - 'by' - 'reason' - 'answer'
        else ${orderEvents.detail} #- '{callback,errorMessage}' end`,
    })
    .where(
      inArray(
        orderEvents.orderId,
        of.map(({ orderId }) => orderId),
      ),
    );
}

/**
 * Deletes the orders of accounts that were closed or deleted, with their history, refunds and invoices, after the years of the setting.
 *
 * @returns the number of deleted orders
 */
export function deleteOldOrders(
  db: Database,
  { orderRetentionYears }: Pick<Config, "orderRetentionYears">,
): Promise<number> {
  const before = sql`${now().toISOString()}::timestamptz - make_interval(years => ${orderRetentionYears}::int)`;
  return runInSteps(db, async (tx) => {
    const over = await tx
      .select({ orderId: orders.orderId })
      .from(orders)
      .where(and(lt(orders.createdAt, before), hasNoAccount, ne(orders.status, "pending")))
      .limit(batch)
      .for("update", { skipLocked: true });
    const ids = over.map(({ orderId }) => orderId);
    if (ids.length === 0) return 0;
    for (const table of [creditNotes, invoices, refunds, orders])
      await tx.delete(table).where(inArray(table.orderId, ids));
    return ids.length;
  });
}

const hasNoAccount = or(isNull(orders.buyerId), not(hasOpenAccount(orders.buyerId)));

async function runInSteps(
  db: Database,
  changeBatch: (tx: Database) => Promise<number>,
): Promise<number> {
  let changed = 0;
  for (let step = 0; step < maxBatches; step++) {
    const rows = await db.transaction(changeBatch);
    changed += rows;
    if (rows < batch) break;
  }
  return changed;
}
