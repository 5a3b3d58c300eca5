import { eq } from "drizzle-orm";
import { afterEach, expect, test } from "vitest";
import { testConfig } from "../../tests/support/product/config.ts";
import {
  deliverForTest,
  deliveriesOf,
  orderRow,
  price,
  startedOrder,
  verifiedPaid,
} from "../../tests/support/payments/payments.ts";
import { testPeople } from "../../tests/support/rows/test-people.ts";
import { hour, now, second } from "../platform/clock.ts";
import { createLog } from "../platform/log.server.ts";
import type { Verification } from "./payu.server.ts";
import { compareOrders } from "./reconcile-orders.server.ts";
import { orders } from "./tables.server.ts";

const { db, asha } = await testPeople();
const app = { db, config: testConfig(), log: createLog("silent") };

afterEach(async () => {
  await db.delete(orders);
});

/** A provider with these answers by order id. It doesn't know any other order. */
function payuSaying(answers: Record<string, Verification>) {
  let underWay = 0;
  const payments = {
    mostAtOnce: 0,
    async verify(orderId: string): Promise<Verification> {
      underWay += 1;
      payments.mostAtOnce = Math.max(payments.mostAtOnce, underWay);
      await new Promise(setImmediate);
      underWay -= 1;
      return answers[orderId] ?? { outcome: "not found" };
    },
    deliver: deliverForTest,
  };
  return payments;
}

let orderCount = 0;

/** Creates one order per second, so that their order by age is fixed. */
async function order(state: Partial<typeof orders.$inferInsert> = {}): Promise<string> {
  const { orderId } = await startedOrder(db, asha);
  const createdAt = new Date(now().getTime() - hour + ++orderCount * second);
  await db
    .update(orders)
    .set({ createdAt, ...state })
    .where(eq(orders.orderId, orderId));
  return orderId;
}

const allOrders = { since: null, dryRun: false };

test("an order paid at the provider is settled and delivered once, even if reconciled again", async () => {
  const [open, failed] = [await order(), await order({ status: "failed" })];
  const payments = payuSaying({ [open]: verifiedPaid, [failed]: verifiedPaid });
  expect(await compareOrders(app, payments, allOrders)).toEqual({
    asked: 2,
    settled: [open, failed].map((orderId) => ({ orderId, status: "success" })),
    disagreements: [],
  });
  expect((await compareOrders(app, payments, allOrders)).settled).toEqual([]);
  expect([await deliveriesOf(db, open), await deliveriesOf(db, failed)]).toEqual([1, 1]);
});

test("a dry run reports orders paid only at the provider, and changes nothing", async () => {
  const orderId = await order();
  const before = await orderRow(db, orderId);
  const payments = payuSaying({ [orderId]: verifiedPaid });
  const { settled, disagreements } = await compareOrders(app, payments, {
    since: null,
    dryRun: true,
  });
  expect(settled).toEqual([]);
  expect(disagreements).toMatchObject([{ orderId, problem: "Paid there, not here." }]);
  expect(await orderRow(db, orderId)).toEqual(before);
});

test("disagreements are reported and change nothing", async () => {
  const wrong = await order();
  const paid = await order({ status: "success" });
  const cheap = await order({ status: "success" });
  const unheard = await order();
  const { disagreements } = await compareOrders(
    app,
    payuSaying({
      [wrong]: { ...verifiedPaid, amountPaise: price + 100 } as Verification,
      [paid]: { outcome: "failed", amountPaise: price, mihpayid: "403" },
      [cheap]: { ...verifiedPaid, amountPaise: 100 } as Verification,
      [unheard]: { outcome: "unreachable", reason: "answered 502" },
    }),
    allOrders,
  );
  expect(disagreements).toMatchObject([
    { orderId: wrong, here: "pending", therePaise: price + 100, problem: "The amounts differ." },
    { orderId: paid, here: "success", there: "failed", problem: "Paid here, not there." },
    { orderId: cheap, here: "success", therePaise: 100, problem: "The amounts differ." },
    { orderId: unheard, problem: "PayU unreachable: answered 502" },
  ]);
  expect((await orderRow(db, wrong)).status).toBe("pending");
  expect((await orderRow(db, paid)).status).toBe("success");
  expect(await deliveriesOf(db, wrong)).toBe(0);
});

test("an order that cannot be delivered stays open, and the run continues", async () => {
  const [first, second] = [await order(), await order()];
  const payments = payuSaying({ [first]: verifiedPaid, [second]: verifiedPaid });
  const { settled, disagreements } = await compareOrders(
    app,
    {
      verify: payments.verify,
      deliver: async (tx, paid) => {
        if (paid.orderId === first) throw new Error("Out of compasses.");
        await deliverForTest(tx, paid);
      },
    },
    allOrders,
  );
  expect(disagreements).toMatchObject([
    { orderId: first, here: "pending", problem: "Could not be settled: Out of compasses." },
  ]);
  expect(settled).toMatchObject([{ orderId: second }]);
});

test("orders are checked five at a time, and an interrupted run can continue", async () => {
  const row = await orderRow(db, await order());
  const moments = Array.from({ length: 120 }, (_, turn) => new Date(Date.UTC(2026, 0, 1, 0, turn)));
  const { amountPaise: _, ...values } = row;
  await db
    .insert(orders)
    .values(moments.map((createdAt, turn) => ({ ...values, orderId: `TXN_${turn}`, createdAt })));
  const payments = payuSaying({});
  const progress: Date[] = [];
  const all = await compareOrders(app, payments, {
    since: null,
    dryRun: true,
    reached: (_asked, createdAt) => progress.push(createdAt),
  });
  expect(all.asked).toBe(121);
  expect(payments.mostAtOnce).toBe(5);
  const rest = await compareOrders(app, payments, { since: progress[0]!, dryRun: true });
  expect(rest.asked).toBe(121 - 99);
});
