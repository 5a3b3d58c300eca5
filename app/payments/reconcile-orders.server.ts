import { and, asc, eq, gt, gte, or, type SQL } from "drizzle-orm";
import type { AppContext } from "../platform/app-context.server.ts";
import type { Database } from "../platform/database.server.ts";
import type { Payments } from "./payments.server.ts";
import type { Verification } from "./payu.server.ts";
import { settleOrder } from "./settle-order.server.ts";
import { orders } from "./tables.server.ts";

/** An order whose status at the provider differs from ours. */
export type Disagreement = {
  orderId: string;
  createdAt: Date;
  here: "pending" | "success" | "failed";
  herePaise: number;
  there: Verification["outcome"];
  /** Null if the provider states no amount. */
  therePaise: number | null;
  problem: string;
};

type Reconciliation = {
  asked: number;
  /** The open orders that this run settled. */
  settled: { orderId: string; status: "success" | "failed" }[];
  disagreements: Disagreement[];
};

type Reconciling = {
  /** Leaves out orders before this time; null for none. */
  since: Date | null;
  /** Asks the provider, but changes nothing. */
  dryRun: boolean;
  /** Called with the progress after each page. A new run can continue from that time. */
  reached?: (checked: number, createdAt: Date) => void;
};

/** The number of concurrent requests to the provider, as in the scheduled checks. */
const concurrency = 5;
const pageSize = 100;

/**
 * Asks the provider about every order, oldest first. Open orders are settled by {@link settleOrder}, as in a
 * scheduled check. Orders that both sides have settled differently are only reported.
 */
export async function compareOrders(
  app: AppContext,
  payments: Pick<Payments, "verify" | "deliver">,
  { since, dryRun, reached }: Reconciling,
): Promise<Reconciliation> {
  const result: Reconciliation = { asked: 0, settled: [], disagreements: [] };
  let after = since ? gte(orders.createdAt, since) : undefined;
  for (;;) {
    const page = await listOrdersToReconcile(app.db, after);
    for (let start = 0; start < page.length; start += concurrency) {
      const group = page.slice(start, start + concurrency);
      const outcomes = await Promise.all(
        group.map((order) => compare(app, payments, order, dryRun)),
      );
      for (const { settled, disagreement } of outcomes) {
        if (settled) result.settled.push(settled);
        if (disagreement) result.disagreements.push(disagreement);
      }
    }
    const last = page.at(-1);
    if (!last) return result;
    result.asked += page.length;
    reached?.(result.asked, last.createdAt);
    const { createdAt, orderId } = last;
    const sameMoment = and(eq(orders.createdAt, createdAt), gt(orders.orderId, orderId));
    after = or(gt(orders.createdAt, createdAt), sameMoment);
  }
}

function listOrdersToReconcile(db: Database, after: SQL | undefined) {
  return db
    .select({
      orderId: orders.orderId,
      createdAt: orders.createdAt,
      status: orders.status,
      amountPaise: orders.amountPaise,
    })
    .from(orders)
    .where(after)
    .orderBy(asc(orders.createdAt), asc(orders.orderId))
    .limit(pageSize);
}

type Order = Awaited<ReturnType<typeof listOrdersToReconcile>>[number];

async function compare(
  app: AppContext,
  payments: Pick<Payments, "verify" | "deliver">,
  order: Order,
  dryRun: boolean,
) {
  const { orderId, createdAt } = order;
  const verification = await payments.verify(orderId);
  const { status, failure } =
    dryRun || order.status === "success"
      ? { status: order.status }
      : await settle(app, payments, order, verification);
  const amountPaise = order.amountPaise ?? 0;
  const problem = failure ?? findDisagreement(status, amountPaise, verification);
  return {
    settled: status !== order.status && status !== "pending" ? { orderId, status } : null,
    disagreement: problem && {
      orderId,
      createdAt,
      here: status,
      herePaise: amountPaise,
      there: verification.outcome,
      therePaise: "amountPaise" in verification ? verification.amountPaise : null,
      problem,
    },
  };
}

/** Reports a failure as a result, so that the run continues with the other orders. */
async function settle(
  app: AppContext,
  { deliver }: Pick<Payments, "deliver">,
  { orderId, status }: Order,
  verification: Verification,
): Promise<{ status: Order["status"]; failure?: string }> {
  try {
    const verified = { verify: async () => verification, deliver };
    const outcome = await settleOrder(app, verified, { orderId, source: "verification" });
    return { status: outcome?.status ?? status };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { status, failure: `Could not be settled: ${why}` };
  }
}

function findDisagreement(here: Order["status"], herePaise: number, verification: Verification) {
  if (verification.outcome === "unreachable") return `PayU unreachable: ${verification.reason}`;
  if (verification.outcome === "success") {
    if (verification.amountPaise !== herePaise) return "The amounts differ.";
    return here === "success" ? null : "Paid there, not here.";
  }
  return here === "success" ? "Paid here, not there." : null;
}
