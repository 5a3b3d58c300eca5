import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { stopClock } from "../../tests/support/product/stop-clock.ts";
import { testPeople } from "../../tests/support/rows/test-people.ts";
import { order as insertOrder } from "../../tests/support/rows/refunds.ts";
import type { RefundState } from "../payments/refund-rules.ts";
import { refunds } from "../payments/refunds/tables.server.ts";
import { orders } from "../payments/tables.server.ts";
import { getMonthStart, now, second } from "../platform/clock.ts";
import { computePercentChange, getRevenue, toRevenueChange } from "./revenue.server.ts";

const { db, ...who } = await testPeople();

beforeEach(async () => {
  await db.delete(refunds);
  await db.delete(orders);
});

test("revenue counts successful orders of this and last month, by months in India", async () => {
  const moment = new Date("2026-03-15T12:00:00Z");
  const begin = getMonthStart(moment);
  await order("199.00", begin);
  await order("299.00", new Date("2026-03-31T18:29:59Z"));
  await order("199", new Date(begin.getTime() - second));
  await order("99.50", getMonthStart(moment, -1));
  await order("500.00", new Date(getMonthStart(moment, -1).getTime() - second));
  await order("500.00", new Date("2026-03-31T18:30:00Z"));
  await order("500.00", moment, "failed");
  await order("500.00", moment, "pending");
  expect(await getRevenue(db, who.gita, moment)).toEqual({
    current: 498_00,
    previous: 298_50,
    refunded: 0,
  });
});

test("a settled refund is subtracted from the month of its order", async () => {
  const moment = new Date("2026-03-15T12:00:00Z");
  const lastMonth = getMonthStart(moment, -1);
  await refundOf(await order("199.00", lastMonth), "settled", moment);
  await order("299.00", lastMonth);
  await refundOf(await order("199.00", moment), "settled", moment);
  for (const state of ["asked", "approved", "sent", "failed", "declined"] as const) {
    await refundOf(await order("100.00", moment), state, moment);
  }
  // A payment of a wrong amount buys nothing, so it never counts as revenue.
  await refundOf(await order("199.00", moment, "failed"), "settled", moment);
  await refundOf(await order("50.00", moment), "settled", moment, "402");
  expect(await getRevenue(db, who.gita, moment)).toEqual({
    current: 550_00,
    previous: 299_00,
    refunded: 199_00,
  });
});

test("amounts that aren't numbers count as 0, and so does a month without orders", async () => {
  stopClock();
  expect(await getRevenue(db, who.gita, now())).toEqual({ current: 0, previous: 0, refunded: 0 });
  for (const amount of ["", "abc", "NaN", "1e3", "-5", "199.00"]) await order(amount, now());
  expect((await getRevenue(db, who.gita, now())).current).toBe(199_00);
});

test("a month with thousands of orders adds up to the paisa", async () => {
  stopClock();
  await db.execute(sql`
    insert into orders (order_id, amount, status, purpose, checkout_fields, created_at)
    select 'TXN_' || n, '9999999.99', 'success', '{}', '{}', ${now().toISOString()}::timestamptz
    from generate_series(1, 5000) n`);
  expect((await getRevenue(db, who.gita, now())).current).toBe(999_999_999 * 5000);
});

test.each([
  [0, 0, 0],
  [100, 0, 100],
  [0, 100, -100],
  [150, 100, 50],
  [100, 100, 0],
])("%i after %i is a change of %i percent", (current, previous, percent) => {
  expect(computePercentChange(current, previous)).toBe(percent);
});

test("an increase has a plus sign, a decrease a minus sign, each with one decimal", () => {
  expect(toRevenueChange(112_50, 100_00)).toEqual({
    direction: "up",
    text: "+12.5% from last month",
  });
  expect(toRevenueChange(66_67, 100_00)).toEqual({
    direction: "down",
    text: "-33.3% from last month",
  });
  expect(toRevenueChange(199_00, 0)?.text).toBe("+100.0% from last month");
  expect(toRevenueChange(0, 199_00)?.text).toBe("-100.0% from last month");
});

test("a change that rounds to 0.0% counts as no change", () => {
  expect(toRevenueChange(0, 0)).toBeNull();
  expect(toRevenueChange(199_00, 199_00)).toBeNull();
  expect(toRevenueChange(1_000_001, 1_000_000)).toBeNull();
  expect(toRevenueChange(999_999, 1_000_000)).toBeNull();
});

async function order(
  amount: string,
  createdAt: Date,
  status: "success" | "failed" | "pending" = "success",
): Promise<string> {
  return insertOrder(db, who.asha, { providerPaymentId: "403", amount, status, createdAt });
}

async function refundOf(
  orderId: string,
  state: RefundState,
  createdAt: Date,
  paymentId = "403",
): Promise<void> {
  const token = randomUUID().slice(0, 23);
  const amount = { paymentId, amountPaise: 199_00 };
  const facts = { grounds: "decided", state, createdAt } as const;
  await db.insert(refunds).values({ orderId, token, ...amount, ...facts });
}
