import { array, type Arbitrary, constantFrom, nat, option, record } from "fast-check";
import { eq } from "drizzle-orm";
import { addRefund, lockOrder } from "../../../app/payments/refunds/refund-orders.server.ts";
import { checkRefund } from "../../../app/payments/refunds/send-refunds.server.ts";
import { creditNotes, refunds } from "../../../app/payments/refunds/tables.server.ts";
import { settleOrder } from "../../../app/payments/settle-order.server.ts";
import { invoices, invoiceSeries, orders } from "../../../app/payments/tables.server.ts";
import { openDatabase } from "../../../app/platform/database.server.ts";
import { Unavailable } from "../../../app/platform/errors.ts";
import { createLog } from "../../../app/platform/log.server.ts";
import { gstSettings, testConfig } from "../product/config.ts";
import type { TestDatabase } from "../product/database.ts";
import { taxedOrder } from "../rows/invoices.ts";
import { person } from "../rows/people.ts";
import { order as insertOrder } from "../rows/refunds.ts";
import { databaseProxy, type Fate } from "../servers/database-proxy.ts";
import { deliverForTest, testPayments, verifiedPaid } from "./payments.ts";
import { refundProvider } from "./refund-provider.ts";
import { wrongInvoices } from "./wrong-invoices.ts";

/** Work of one of two processes on an order. Its delivery may fail. */
type Work = { process: number; order: number; event: "settle" | "fail" | "refund" | "check" };

/** Concurrent work, and the statement at which one process loses its connections. */
type Moment = {
  works: Work[];
  cut: { process: number; statement: number; fate: Fate } | null;
};

export type InvoiceHistory = { isTaxed: boolean[]; moments: Moment[] };

const work: Arbitrary<Work> = record({
  process: nat(1),
  order: nat(4),
  event: constantFrom("settle", "settle", "settle", "fail", "refund", "check"),
});

export const invoiceHistories: Arbitrary<InvoiceHistory> = record({
  // Most sellers of such a history have a GSTIN all the time.
  isTaxed: array(constantFrom(true, true, true, false), { minLength: 2, maxLength: 5 }),
  moments: array(
    record({
      works: array(work, { minLength: 1, maxLength: 5 }),
      cut: option(
        record({
          process: nat(1),
          statement: nat(30),
          fate: constantFrom<Fate>("lost", "committed, but not answered"),
        }),
      ),
    }),
    { minLength: 1, maxLength: 4 },
  ),
});

/** Two processes that settle and refund orders in the same database, with connections that can be cut. */
export async function invoiceWorld({ db, url }: TestDatabase) {
  const config = testConfig(gstSettings);
  const log = createLog("silent");
  const admin = await person(db, "Gita Menon", { roles: ["god_admin"] });
  const buyer = await person(db, "Asha Verma");
  const processes = await Promise.all(
    [0, 1].map(async () => {
      const proxy = await databaseProxy(url);
      const pool = openDatabase(proxy.url, { max: 3 });
      return { proxy, pool, app: { db: pool.db, config, log } };
    }),
  );

  return {
    /** Runs a history, then completes it. @returns what is wrong, in sentences */
    async live({ isTaxed, moments }: InvoiceHistory): Promise<string[]> {
      for (const table of [creditNotes, refunds, invoices, invoiceSeries, orders])
        await db.delete(table);
      const provider = refundProvider();
      const unpaid = { status: "pending", settledAt: null, capturedPaise: null } as const;
      const ids: string[] = [];
      for (const one of isTaxed)
        ids.push(
          await (one ? taxedOrder(db, buyer, { fields: unpaid }) : insertOrder(db, buyer, unpaid)),
        );
      const run = (one: Work) => doWork(one, ids[one.order % ids.length]!, provider);
      for (const { works, cut } of moments) {
        const proxy = cut && processes[cut.process]!.proxy;
        let statement = 0;
        proxy?.watch(
          () => (statement++ === cut!.statement ? cut!.fate : "pass"),
          () => void proxy.cut(),
        );
        await Promise.allSettled(works.map(run));
        proxy?.watch(
          () => "pass",
          () => {},
        );
      }
      const complete = (event: Work["event"]) =>
        Promise.all(
          [...ids.keys()].map((order) => retry(() => run({ process: order % 2, order, event }))),
        );
      await complete("settle");
      await complete("check");
      const unsettled = await db.$count(orders, eq(orders.status, "pending"));
      return [
        ...(unsettled > 0 ? [`${unsettled} orders stay unsettled.`] : []),
        ...(await wrongInvoices(db)),
      ];
    },

    async close(): Promise<void> {
      for (const { pool, proxy } of processes) {
        await pool.close();
        proxy.close();
      }
    },
  };

  async function doWork(
    { process, event }: Work,
    orderId: string,
    provider: ReturnType<typeof refundProvider>,
  ): Promise<void> {
    const { app } = processes[process]!;
    if (event === "settle" || event === "fail") {
      const payments = Object.assign(testPayments(), {
        answer: verifiedPaid,
        deliver:
          event === "settle" ? deliverForTest : () => Promise.reject(new Error("out of stock")),
      });
      await settleOrder(app, payments, { orderId, source: "verification" });
    } else if (event === "refund") {
      await app.db.transaction(async (tx) => {
        const locked = await lockOrder(tx, orderId);
        await addRefund(tx, config, locked, {
          grounds: "decided",
          state: "approved",
          reason: null,
          askedBy: admin,
          decidedBy: admin,
        });
      });
    } else {
      await checkRefund(app, provider, orderId);
      provider.end("success");
      await checkRefund(app, provider, orderId);
    }
  }
}

/** A connection that was cut fails at its next query, and is replaced then. */
async function retry(work: () => Promise<void>, times = 5): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (times === 0 || !(error instanceof Unavailable)) throw error;
    await retry(work, times - 1);
  }
}

/** Formats a history as a numbered list. */
export function formatInvoiceHistory({ isTaxed, moments }: InvoiceHistory): string {
  const lines = moments.map(({ works, cut }) => {
    const done = works.map(({ process, order, event }) => `${event} ${order} by ${process}`);
    const end = cut && `; process ${cut.process} is cut at statement ${cut.statement}, ${cut.fate}`;
    return done.join(", ") + (end ?? "");
  });
  return [`taxed: ${isTaxed.join()}`, ...lines]
    .map((line, index) => `  ${index}. ${line}`)
    .join("\n");
}
