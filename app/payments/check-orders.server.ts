import { and, lte, ne, sql } from "drizzle-orm";
import { minute, now, second } from "../platform/clock.ts";
import type { Config } from "../platform/config.server.ts";
import type { Database } from "../platform/database.server.ts";
import type { AppContext } from "../platform/app-context.server.ts";
import { logFailure } from "../platform/log.server.ts";
import type { Task } from "../platform/tasks.server.ts";
import type { Payments } from "./payments.server.ts";
import { settleOrder } from "./settle-order.server.ts";
import { orders } from "./tables.server.ts";

/** Orders checked at the same time. Each briefly holds a connection. */
const batch = 5;
/** The next minute's run continues with the rest. */
const maxDuration = 45 * second;
/** An order whose check was interrupted is checked again after this time. */
const claimedFor = 5 * minute;

/** Every minute, asks the provider about the orders that are due for a check, in case a notice was lost. */
export function checkOrders(config: Config, payments: Payments): Task<object> {
  return {
    name: "check-orders",
    schedule: "* * * * *",
    async run(_data, { db, log }) {
      const end = now().getTime() + maxDuration;
      while (now().getTime() < end) {
        const due = await claimDueOrders(db);
        if (due.length === 0) return;
        await Promise.all(due.map((orderId) => checkOrder({ db, config, log }, payments, orderId)));
      }
    },
  };
}

/** Claims some due orders, so that no other process checks them at the same time. */
async function claimDueOrders(db: Database): Promise<string[]> {
  const moment = now();
  const due = db
    .select({ orderId: orders.orderId })
    .from(orders)
    .where(and(lte(orders.nextCheckAt, moment), ne(orders.status, "success")))
    .orderBy(orders.nextCheckAt)
    .limit(batch)
    .for("update", { skipLocked: true });
  const claimed = await db
    .update(orders)
    .set({ nextCheckAt: new Date(moment.getTime() + claimedFor) })
    // An array is evaluated once. A plain subquery may run again for each row and claim more than a batch.
    .where(sql`${orders.orderId} = any(array(${due}))`)
    .returning({ orderId: orders.orderId });
  return claimed.map((order) => order.orderId);
}

/** Logs a failure, so that one order that cannot be settled doesn't delay the others. */
async function checkOrder(app: AppContext, payments: Payments, orderId: string): Promise<void> {
  try {
    await settleOrder(app, payments, { orderId, source: "verification" });
  } catch (error) {
    logFailure(app.log, error, "scheduled payment check failed", { order: orderId });
  }
}
