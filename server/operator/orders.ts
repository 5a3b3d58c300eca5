import type { Command } from "@commander-js/extra-typings";
import { rupeesWithPaise } from "../../app/payments/money.ts";
import { settleOrder } from "../../app/payments/settle-order.server.ts";
import { listUnsettledOrders } from "../../app/payments/unsettled-orders.server.ts";
import { shortDate } from "../../app/platform/clock.ts";
import type { Database } from "../../app/platform/database.server.ts";
import { Invalid } from "../../app/platform/errors.ts";
import { type Answer, type Choose, type Operator, table } from "./command.ts";

/** Payments that need somebody. */
export function orders(program: Command, choose: Choose): void {
  const family = program
    .command("orders")
    .description("payments that time alone does not settle")
    .action(() => choose(({ app }) => list(app.db)));
  family
    .command("ask")
    .description("ask the provider about an order again, and settle it")
    .argument("<transaction>")
    .action((orderId) => choose((operator) => ask(operator, orderId)));
}

const mostOrders = 200;

async function list(db: Database): Promise<Answer> {
  const unsettled = await listUnsettledOrders(db, mostOrders);
  const rows = unsettled.map(({ orderId, createdAt, amountPaise, buyer, why }) => [
    orderId,
    shortDate(createdAt),
    `₹${rupeesWithPaise(amountPaise)}`,
    buyer,
    why,
  ]);
  return {
    text: table(rows) || "Every payment is settled, or will be by itself.",
    data: unsettled,
  };
}

/** What a paid order causes is queued here, and done by the product. */
async function ask({ app, payments }: Operator, orderId: string): Promise<Answer> {
  const outcome = await settleOrder(app, payments, { orderId, source: "verification" });
  if (!outcome) throw new Invalid({ order: `There is no order ${orderId}.` });
  const copy = {
    pending: "is still pending. Look at it in the provider's dashboard.",
    success: "is paid and delivered.",
    failed: "has failed.",
  };
  return { text: `${orderId} ${copy[outcome.status]}`, data: { orderId, ...outcome } };
}
