import type { Command } from "@commander-js/extra-typings";
import { formatDecimalRupees } from "../../app/payments/money.ts";
import { type Disagreement, compareOrders } from "../../app/payments/reconcile-orders.server.ts";
import { settleOrder } from "../../app/payments/settle-order.server.ts";
import { listOrdersToResolve } from "../../app/payments/resolve/orders-to-resolve.server.ts";
import { formatShortDate } from "../../app/platform/clock.ts";
import type { Database } from "../../app/platform/database.server.ts";
import { Invalid } from "../../app/platform/errors.ts";
import { countNoun } from "../../app/platform/count-noun.ts";
import { parseMoment } from "./arguments.ts";
import { type Answer, type Choose, type Operator, formatTable } from "./command.ts";

export function addOrderCommands(program: Command, choose: Choose): void {
  const family = program
    .command("orders")
    .description("list payments that did not settle by themselves")
    .action(() => choose(({ app }) => list(app.db)));
  family
    .command("ask")
    .description("ask the payment provider about an order again, and settle it")
    .argument("<transaction>")
    .action((orderId) => choose((operator) => checkOrder(operator, orderId)));
  program
    .command("reconcile")
    .description(
      "ask the payment provider about every order, settle open ones, and report differences",
    )
    .option("--since <date>", "only orders from that day on", parseMoment)
    .option("--dry-run", "only ask, without changing anything", false)
    .action((options) => choose((operator) => reconcileAll(operator, options)));
}

const maxOrders = 200;

async function list(db: Database): Promise<Answer> {
  const orders = await listOrdersToResolve(db, maxOrders);
  const rows = orders.map(({ orderId, createdAt, amountPaise, buyer, why }) => [
    orderId,
    formatShortDate(createdAt),
    `₹${formatDecimalRupees(amountPaise)}`,
    buyer,
    why,
  ]);
  return {
    text: formatTable(rows) || "Every payment is settled, or will settle by itself.",
    data: orders,
  };
}

/** The effects of a paid order are queued here and run by the product. */
async function checkOrder({ app, payments }: Operator, orderId: string): Promise<Answer> {
  const outcome = await settleOrder(app, payments, { orderId, source: "verification" });
  if (!outcome) throw new Invalid({ order: `There is no order ${orderId}.` });
  const statusText = {
    pending: "is still pending. Check it in the provider's dashboard.",
    success: "is paid and delivered.",
    failed: "has failed.",
  };
  return { text: `${orderId} ${statusText[outcome.status]}`, data: { orderId, ...outcome } };
}

async function reconcileAll(
  { app, payments, logProgress }: Operator,
  { since = null, dryRun }: { since?: Date | null | undefined; dryRun: boolean },
): Promise<Answer> {
  const reached = (checked: number, createdAt: Date) =>
    logProgress(
      `Checked ${countNoun(checked, "order")}. To continue from here: --since ${createdAt.toISOString()}`,
    );
  const comparison = await compareOrders(app, payments, { since, dryRun, reached });
  const { asked, settled, disagreements } = comparison;
  const paid = settled.filter(({ status }) => status === "success").length;
  const summary = [
    `Checked ${countNoun(asked, "order")}.`,
    dryRun
      ? "Nothing was changed."
      : `${paid} were paid and delivered, ${settled.length - paid} failed.`,
    disagreements.length === 0
      ? "All orders match the provider's."
      : `Check ${disagreements.length} in the provider's dashboard:`,
  ];
  const text = [summary.join(" "), formatTable(disagreements.map(toOrderRow))]
    .filter(Boolean)
    .join("\n\n");
  return { text, data: comparison, failed: disagreements.length > 0 };
}

function toOrderRow(disagreement: Disagreement): string[] {
  const { orderId, createdAt, here, herePaise, there, therePaise, problem } = disagreement;
  const rupees = (paise: number | null) =>
    paise === null ? "" : ` ₹${formatDecimalRupees(paise)}`;
  return [
    orderId,
    formatShortDate(createdAt),
    `here ${here}${rupees(herePaise)}`,
    `there ${there}${rupees(therePaise)}`,
    problem,
  ];
}
