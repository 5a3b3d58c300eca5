import { beforeEach, expect, test, vi } from "vitest";
import { testConfig } from "../../tests/support/product/config.ts";
import { testDatabase } from "../../tests/support/product/database.ts";
import {
  deliverForTest,
  price,
  startedOrder,
  testPayments,
  verifiedPaid,
} from "../../tests/support/payments/payments.ts";
import { people } from "../../tests/support/rows/people.ts";
import { createLog } from "../platform/log.server.ts";
import { inspectOrder } from "./inspect-order.server.ts";

const { db } = await testDatabase();
const { asha, ravi } = await people(db);
const app = { db, config: testConfig(), log: createLog("silent") };
const payments = testPayments();
const look = (orderId: string, viewer: { id: string } | null) =>
  inspectOrder(app, payments, { orderId, viewerId: viewer?.id ?? null });

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
  Object.assign(payments, testPayments(), { deliver: deliverForTest });
});

test("a stranger and a visitor learn status and amount, and ask nobody", async () => {
  const { orderId } = await startedOrder(db, asha);
  const known = { status: "pending", amountPaise: price, retryPath: null, facts: [] };
  expect(await look(orderId, ravi)).toEqual(known);
  expect(await look(orderId, null)).toEqual(known);
  expect(payments.asked).toEqual([]);
});

test("the buyer's look asks the provider, and settles", async () => {
  const { orderId } = await startedOrder(db, asha);
  payments.answer = verifiedPaid;
  expect(await look(orderId, asha)).toMatchObject({ status: "success", retryPath: "/compasses" });
  await look(orderId, asha);
  expect(payments.asked).toEqual([orderId]);
});

test("only its buyer is told more of what was bought, and only once it is paid", async () => {
  const { orderId } = await startedOrder(db, asha);
  const facts = [{ name: "Your compass", words: "due Sunday, 21:40" }];
  payments.describe = () => Promise.resolve(facts);
  expect(await look(orderId, asha)).toMatchObject({ status: "pending", facts: [] });
  payments.answer = verifiedPaid;
  vi.advanceTimersByTime(6000);
  expect(await look(orderId, asha)).toMatchObject({ status: "success", facts });
  const known = { status: "success", amountPaise: price, retryPath: null, facts: [] };
  expect(await look(orderId, ravi)).toEqual(known);
  expect(await look(orderId, null)).toEqual(known);
});

test("the provider is asked once in five seconds, however often the buyer looks", async () => {
  const { orderId } = await startedOrder(db, asha);
  await Promise.all([look(orderId, asha), look(orderId, asha), look(orderId, asha)]);
  expect(payments.asked).toHaveLength(1);
  vi.advanceTimersByTime(4000);
  await look(orderId, asha);
  expect(payments.asked).toHaveLength(1);
  vi.advanceTimersByTime(2000);
  await look(orderId, asha);
  expect(payments.asked).toHaveLength(2);
});

test("a settling that fails shows the order as it is", async () => {
  const { orderId } = await startedOrder(db, asha);
  payments.answer = verifiedPaid;
  payments.deliver = () => Promise.reject(new Error("out of stock"));
  expect(await look(orderId, asha)).toMatchObject({ status: "pending" });
});

test("there is nothing to see of an order that does not exist", async () => {
  expect(await look("TXN_UNKNOWN", asha)).toBeNull();
});
