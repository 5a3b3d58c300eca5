import { and, asc, eq, gt, gte, or, type SQL } from "drizzle-orm";
import type { AppContext } from "../platform/app-context.server.ts";
import type { Database } from "../platform/database.server.ts";
import type { Payments } from "./payments.server.ts";
import type { Verification } from "./payu.server.ts";
import { settleOrder } from "./settle-order.server.ts";
import { orders } from "./tables.server.ts";

/** A difference between the provider's state of an order and ours. */
export type Disagreement = {
  orderId: string;
  createdAt: Date;
  here: "pending" | "success" | "failed";
  herePaise: number;
  there: Verification["outcome"];
  /** Null where the provider states none. */
  therePaise: number | null;
  problem: string;
};

type Reconciliation = {
  asked: number;
  /** The orders that were open and became this. */
  settled: { orderId: string; status: "success" | "failed" }[];
  disagreements: Disagreement[];
};

type Reconciling = {
  /** The first moment of the orders that are meant; null for all. */
  since: Date | null;
  /** Asks, and changes nothing. */
  dryRun: boolean;
  /** Called with the progress now and then; continuing from there misses nothing. */
  reached?: (asked: number, createdAt: Date) => void;
};

/** Asked at the same time, as the scheduled checks do. */
const atOnce = 5;
const pageSize = 100;

/**
 * Asks the provider about every order, the oldest first. What is open is settled by {@link settleOrder}, as
 * a scheduled check would; what both sides have settled differently is only reported.
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
    for (let start = 0; start < page.length; start += atOnce) {
      const few = page.slice(start, start + atOnce);
      const outcomes = await Promise.all(few.map((order) => compare(app, payments, order, dryRun)));
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
  const said = await payments.verify(orderId);
  const { status, failure } =
    dryRun || order.status === "success"
      ? { status: order.status }
      : await settle(app, payments, order, said);
  const amountPaise = order.amountPaise ?? 0;
  const problem = failure ?? findDisagreement(status, amountPaise, said);
  return {
    settled: status !== order.status && status !== "pending" ? { orderId, status } : null,
    disagreement: problem && {
      orderId,
      createdAt,
      here: status,
      herePaise: amountPaise,
      there: said.outcome,
      therePaise: "amountPaise" in said ? said.amountPaise : null,
      problem,
    },
  };
}

/** One order that cannot be settled must not keep the others from being asked about. */
async function settle(
  app: AppContext,
  { deliver }: Pick<Payments, "deliver">,
  { orderId, status }: Order,
  said: Verification,
): Promise<{ status: Order["status"]; failure?: string }> {
  try {
    const asked = { verify: async () => said, deliver };
    const outcome = await settleOrder(app, asked, { orderId, source: "verification" });
    return { status: outcome?.status ?? status };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { status, failure: `Could not be settled: ${why}` };
  }
}

function findDisagreement(
  here: Order["status"],
  herePaise: number,
  said: Verification,
): string | null {
  if (said.outcome === "unreachable") return `Could not be asked about: ${said.reason}`;
  if (said.outcome === "success") {
    if (said.amountPaise !== herePaise) return "The amounts differ.";
    return here === "success" ? null : "Paid there, not here.";
  }
  return here === "success" ? "Paid here, not there." : null;
}
