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

/** Each asks the provider at the same time, and holds one connection for a moment. */
const batch = 5;
/** The next minute's run goes on where this one stops. */
const longestRun = 45 * second;
/** An order whose check is cut off is checked again after this. */
const claimedFor = 5 * minute;

/** Every minute, asks the provider about the orders whose time has come: the lost notices. */
export function checkOrders(config: Config, payments: Payments): Task<object> {
  return {
    name: "check-orders",
    schedule: "* * * * *",
    async run(_data, { db, log }) {
      const end = now().getTime() + longestRun;
      while (now().getTime() < end) {
        const due = await claimDueOrders(db);
        if (due.length === 0) return;
        await Promise.all(due.map((orderId) => checkOrder({ db, config, log }, payments, orderId)));
      }
    },
  };
}

/** Takes some due orders, so that no other process checks them meanwhile. */
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
    // An array is made once; a plain subquery may be run again for each row and take more than a batch.
    .where(sql`${orders.orderId} = any(array(${due}))`)
    .returning({ orderId: orders.orderId });
  return claimed.map((order) => order.orderId);
}

/** One order that cannot be settled must not keep the others waiting. */
async function checkOrder(app: AppContext, payments: Payments, orderId: string): Promise<void> {
  try {
    await settleOrder(app, payments, { orderId, source: "verification" });
  } catch (error) {
    logFailure(app.log, error, "payment not settled by its check", { order: orderId });
  }
}
