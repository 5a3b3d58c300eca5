import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { testConfig } from "../../tests/support/product/config.ts";
import { mailsTo } from "../../tests/support/rows/mailbox.ts";
import {
  callbackAbout,
  deliverForTest,
  deliveriesOf,
  orderRow,
  startedOrder,
  testPayments,
  verifiedPaid,
} from "../../tests/support/payments/payments.ts";
import { testPeople } from "../../tests/support/rows/test-people.ts";
import { day, hour, minute } from "../platform/clock.ts";
import { createLog } from "../platform/log.server.ts";
import { checkOrders } from "./check-orders.server.ts";
import { getNextOrderCheck } from "./order-expiry.ts";
import type { Verification } from "./payu.server.ts";
import { settleOrder } from "./settle-order.server.ts";
import { orders } from "./tables.server.ts";
import { countOrdersToResolve, listOrdersToResolve } from "./resolve/orders-to-resolve.server.ts";

const { db, asha } = await testPeople();
const begin = new Date("2026-01-05T10:00:00Z");
const payments = testPayments();
const app = { db, config: testConfig(), log: createLog("silent") };
const task = checkOrders(app.config, payments);
const check = () => task.run({}, app);

const subjectsToSupport = async () =>
  (await mailsTo(db, app.config.product.supportEmail)).map(({ subject }) => subject);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: begin });
  Object.assign(payments, testPayments(), { deliver: deliverForTest });
});

afterEach(async () => {
  await db.delete(orders);
  vi.useRealTimers();
});

test("orders are checked after 2, 5, 15 and 60 minutes, 6 and 24 hours, then daily for a week", () => {
  const ages: number[] = [];
  let next = getNextOrderCheck(begin, begin);
  while (next) {
    ages.push((next.getTime() - begin.getTime()) / minute);
    next = getNextOrderCheck(begin, next);
  }
  const daily = [2, 3, 4, 5, 6, 7, 8].map((days) => days * 24 * 60);
  expect(ages).toEqual([2, 5, 15, 60, 6 * 60, 24 * 60, ...daily]);
});

test("an order is checked when it is due, not before", async () => {
  const { orderId } = await startedOrder(db, asha);
  await check();
  expect(payments.asked).toEqual([]);

  later(2 * minute);
  await check();
  expect(payments.asked).toEqual([orderId]);
  await check();
  expect(payments.asked).toEqual([orderId]);
  expect((await orderRow(db, orderId)).nextCheckAt).toEqual(at(5 * minute));
});

test("a check settles an order whose notice was lost", async () => {
  const { orderId } = await startedOrder(db, asha);
  payments.answer = verifiedPaid;
  later(2 * minute);
  await check();
  expect(await orderRow(db, orderId)).toMatchObject({ status: "success", nextCheckAt: null });
  expect(await deliveriesOf(db, orderId)).toBe(1);
});

test("an unpaid order fails after a day and is checked for another week", async () => {
  const { orderId } = await startedOrder(db, asha);
  const states: string[] = [];
  for (let next: Date | null = at(2 * minute); next;) {
    vi.setSystemTime(next);
    await check();
    const order = await orderRow(db, orderId);
    states.push(order.status);
    next = order.nextCheckAt;
  }
  expect(states).toEqual([...Array(6).fill("pending"), ...Array(7).fill("failed")]);
  expect((await orderRow(db, orderId)).checks).toBe(13);
});

test("an order that could never be checked is reported to support and listed", async () => {
  const { orderId } = await startedOrder(db, asha);
  payments.answer = { outcome: "unreachable", reason: "no answer" };
  for (let next: Date | null = at(2 * minute); next;) {
    expect(await listOrdersToResolve(db, 10)).toEqual([]);
    vi.setSystemTime(next);
    await check();
    next = (await orderRow(db, orderId)).nextCheckAt;
  }
  expect(await listOrdersToResolve(db, 10)).toMatchObject([
    { orderId, buyer: asha.email, amountPaise: 199_00, why: "We couldn't reach PayU." },
  ]);
  expect(await countOrdersToResolve(db)).toBe(1);
  const mailed = () => mailsTo(db, testConfig().product.supportEmail);
  expect(await mailed()).toMatchObject([
    { subject: `Payment for order ${orderId} could not be settled` },
  ]);
  expect((await mailed())[0]!.text).toContain("We couldn't reach PayU.");

  // Further checks send no more email. Once paid, the order leaves the list.
  await settleOrder(app, payments, { orderId, source: "verification" });
  expect(await mailed()).toHaveLength(1);
  payments.answer = verifiedPaid;
  await settleOrder(app, payments, { orderId, source: "verification" });
  expect(await listOrdersToResolve(db, 10)).toEqual([]);
});

test("orders with a failing delivery or a wrong amount are listed", async () => {
  const undelivered = await startedOrder(db, asha);
  const wronglyPaid = await startedOrder(db, asha);
  payments.answer = { ...verifiedPaid, amountPaise: 1_00 } as Verification;
  await settleOrder(app, payments, { orderId: wronglyPaid.orderId, source: "verification" });
  payments.answer = { outcome: "unreachable", reason: "no answer" };
  await settleOrder(app, payments, { orderId: wronglyPaid.orderId, source: "verification" });
  expect(await listOrdersToResolve(db, 10)).toMatchObject([
    { orderId: wronglyPaid.orderId, why: "The amount paid doesn't match the order." },
  ]);

  payments.answer = verifiedPaid;
  payments.deliver = () => Promise.reject(new Error("out of stock"));
  await db.delete(orders).where(eq(orders.orderId, wronglyPaid.orderId));
  later(10 * day);
  await check();
  expect(await listOrdersToResolve(db, 10)).toMatchObject([
    { orderId: undelivered.orderId, why: "It couldn't be settled. See the log for details." },
  ]);
});

test("a failed order is listed after the last check if its buyer returned as paid", async () => {
  const { orderId } = await startedOrder(db, asha);
  await db.update(orders).set({ status: "failed" }).where(eq(orders.orderId, orderId));
  payments.answer = { outcome: "failed", amountPaise: null, mihpayid: "403" };
  const callback = callbackAbout(orderId);
  await settleOrder(app, payments, { orderId, source: "notice", callback });
  expect(await listOrdersToResolve(db, 10)).toEqual([]);
  later(8 * day);
  await check();
  expect(await listOrdersToResolve(db, 10)).toMatchObject([{ orderId }]);
  expect(await subjectsToSupport()).toContain(`Payment for order ${orderId} could not be settled`);
});

test("a failed order is reported to support if the last check got no answer", async () => {
  const { orderId } = await startedOrder(db, asha);
  payments.answer = { outcome: "failed", amountPaise: null, mihpayid: "403" };
  later(2 * minute);
  await check();
  // It was paid in the meantime, but the notice is lost and the provider doesn't answer.
  payments.answer = { outcome: "unreachable", reason: "no answer" };
  later(8 * day);
  await check();
  expect(await orderRow(db, orderId)).toMatchObject({ status: "failed", nextCheckAt: null });
  expect(await subjectsToSupport()).toContain(`Payment for order ${orderId} could not be settled`);
});

test("a later check finds that a failed order was paid", async () => {
  const { orderId } = await startedOrder(db, asha);
  payments.answer = { outcome: "failed", amountPaise: null, mihpayid: "403" };
  later(2 * minute);
  await check();
  expect(await orderRow(db, orderId)).toMatchObject({ status: "failed" });
  payments.answer = verifiedPaid;
  later(hour);
  await check();
  expect(await orderRow(db, orderId)).toMatchObject({ status: "success" });
});

test("a failed delivery is retried, even after the last check", async () => {
  const { orderId } = await startedOrder(db, asha);
  await db
    .update(orders)
    .set({ nextCheckAt: at(8 * day) })
    .where(eq(orders.orderId, orderId));
  payments.answer = verifiedPaid;
  payments.deliver = () => Promise.reject(new Error("out of stock"));
  later(8 * day);
  await check();
  expect(await orderRow(db, orderId)).toMatchObject({
    status: "pending",
    nextCheckAt: at(8 * day + 5 * minute),
  });

  payments.deliver = deliverForTest;
  later(8 * day + 5 * minute);
  await check();
  expect(await deliveriesOf(db, orderId)).toBe(1);
});

describe("many orders", () => {
  test("are all checked in one run, even if one cannot be settled", async () => {
    const started = await Promise.all(Array.from({ length: 12 }, () => startedOrder(db, asha)));
    payments.answer = verifiedPaid;
    payments.deliver = async (tx, order) => {
      if (order.orderId === started[0]!.orderId) throw new Error("out of stock");
      await deliverForTest(tx, order);
    };
    later(2 * minute);
    await check();
    expect(await db.$count(orders, eq(orders.status, "success"))).toBe(11);
    expect(new Set(payments.asked).size).toBe(12);
  });

  test("are checked once when several processes run at the same time", async () => {
    await Promise.all(Array.from({ length: 12 }, () => startedOrder(db, asha)));
    later(2 * minute);
    await Promise.all([check(), check(), check()]);
    expect(payments.asked).toHaveLength(12);
    expect(new Set(payments.asked).size).toBe(12);
  });
});

function at(age: number): Date {
  return new Date(begin.getTime() + age);
}

function later(age: number): void {
  vi.setSystemTime(at(age));
}
