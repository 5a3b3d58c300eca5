import { beforeEach, expect, test, vi } from "vitest";
import { testConfig } from "../../tests/support/product/config.ts";
import {
  deliverForTest,
  price,
  startedOrder,
  testPayments,
  verifiedPaid,
} from "../../tests/support/payments/payments.ts";
import { testPeople } from "../../tests/support/rows/test-people.ts";
import { createLog } from "../platform/log.server.ts";
import { inspectOrder } from "./inspect-order.server.ts";

const { db, asha, ravi } = await testPeople();
const app = { db, config: testConfig(), log: createLog("silent") };
const payments = testPayments();
const viewResult = (orderId: string, viewer: { id: string } | null) =>
  inspectOrder(app, payments, { orderId, viewerId: viewer?.id ?? null });

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
  Object.assign(payments, testPayments(), { deliver: deliverForTest });
});

test("anyone can see status and amount, without a check at the provider", async () => {
  const { orderId } = await startedOrder(db, asha);
  const publicView = { status: "pending", amountPaise: price, retryPath: null, facts: [] };
  expect(await viewResult(orderId, ravi)).toEqual(publicView);
  expect(await viewResult(orderId, null)).toEqual(publicView);
  expect(payments.asked).toEqual([]);
});

test("a buyer who views the result triggers a check that settles the order", async () => {
  const { orderId } = await startedOrder(db, asha);
  payments.answer = verifiedPaid;
  expect(await viewResult(orderId, asha)).toMatchObject({
    status: "success",
    retryPath: "/services",
  });
  await viewResult(orderId, asha);
  expect(payments.asked).toEqual([orderId]);
});

test("only the buyer sees details of the purchase, once it is paid", async () => {
  const { orderId } = await startedOrder(db, asha);
  const way = { stations: [{ label: "Paid", state: "current" as const }], isLate: false };
  const facts = [{ name: "Your compass", words: "due Sunday, 9:40 PM", way }];
  payments.describe = () => Promise.resolve(facts);
  expect(await viewResult(orderId, asha)).toMatchObject({ status: "pending", facts: [] });
  payments.answer = verifiedPaid;
  vi.advanceTimersByTime(6000);
  expect(await viewResult(orderId, asha)).toMatchObject({ status: "success", facts });
  const publicView = { status: "success", amountPaise: price, retryPath: null, facts: [] };
  expect(await viewResult(orderId, ravi)).toEqual(publicView);
  expect(await viewResult(orderId, null)).toEqual(publicView);
});

test("the provider is asked at most once in five seconds", async () => {
  const { orderId } = await startedOrder(db, asha);
  await Promise.all([
    viewResult(orderId, asha),
    viewResult(orderId, asha),
    viewResult(orderId, asha),
  ]);
  expect(payments.asked).toHaveLength(1);
  vi.advanceTimersByTime(4000);
  await viewResult(orderId, asha);
  expect(payments.asked).toHaveLength(1);
  vi.advanceTimersByTime(2000);
  await viewResult(orderId, asha);
  expect(payments.asked).toHaveLength(2);
});

test("a failed delivery leaves the order pending", async () => {
  const { orderId } = await startedOrder(db, asha);
  payments.answer = verifiedPaid;
  payments.deliver = () => Promise.reject(new Error("out of stock"));
  expect(await viewResult(orderId, asha)).toMatchObject({ status: "pending" });
});

test("an order that does not exist is null", async () => {
  expect(await viewResult("TXN_UNKNOWN", asha)).toBeNull();
});
