import { describe, expect, test } from "vitest";
import { testConfig } from "../../tests/support/product/config.ts";
import { mailsTo } from "../../tests/support/rows/mailbox.ts";
import {
  callbackAbout,
  deliverForTest,
  deliveriesOf,
  eventsOf,
  orderRow,
  price,
  startedOrder,
  type TestPayments,
  testPayments,
  verifiedPaid,
} from "../../tests/support/payments/payments.ts";
import { testPeople } from "../../tests/support/rows/test-people.ts";
import { minute, now } from "../platform/clock.ts";
import { createLog } from "../platform/log.server.ts";
import type { Verification } from "./payu.server.ts";
import { settleOrder, type Settlement } from "./settle-order.server.ts";

const { db, asha } = await testPeople();
const app = { db, config: testConfig(), log: createLog("silent") };

const failed: Verification = { outcome: "failed", amountPaise: price, mihpayid: "403" };
const unreachable: Verification = { outcome: "unreachable", reason: "answered 503" };

test("a confirmed payment settles and delivers the order", async () => {
  const { orderId, settle } = await start(verifiedPaid);
  expect(await settle({ source: "notice", callback: callbackAbout(orderId) })).toEqual({
    status: "success",
    amountPaise: price,
  });
  const order = await orderRow(db, orderId);
  expect(order).toMatchObject({ status: "success", providerPaymentId: "403", nextCheckAt: null });
  expect(order.capturedPaise).toBe(order.amountPaise);
  expect(order.settledAt).not.toBeNull();
  expect(await deliveriesOf(db, orderId)).toBe(1);
  expect(await eventsOf(db, orderId)).toEqual([
    { source: "start", said: "199.00", outcome: "pending" },
    { source: "notice", said: "success", outcome: "success" },
  ]);
});

test("PayU's charges are stored if it tells them", async () => {
  const told = await start({ ...verifiedPaid, chargesPaise: 4_50 } as Verification);
  await told.settle({ source: "verification" });
  expect(await orderRow(db, told.orderId)).toMatchObject({ providerChargesPaise: 4_50 });
  const silent = await start(verifiedPaid);
  await silent.settle({ source: "verification" });
  expect(await orderRow(db, silent.orderId)).toMatchObject({ providerChargesPaise: null });
});

test("ten concurrent callers from all sources deliver once", async () => {
  const { orderId, payments, settle } = await start(verifiedPaid);
  answerTogether(payments, 10);
  const callback = callbackAbout(orderId);
  const sources: Omit<Settlement, "orderId">[] = [
    { source: "return", callback },
    { source: "notice", callback },
    { source: "verification" },
  ];
  const settled = await Promise.all(
    Array.from({ length: 10 }, (_, index) => settle(sources[index % 3]!)),
  );
  expect(settled.map((outcome) => outcome?.status)).toEqual(Array(10).fill("success"));
  expect(await deliveriesOf(db, orderId)).toBe(1);
  expect(payments.asked).toHaveLength(10);
  const changes = (await eventsOf(db, orderId)).filter((event) => event.outcome === "success");
  expect(changes).toHaveLength(1);
});

test("concurrent reports of success and failure end in success", async () => {
  for (let round = 0; round < 5; round++) {
    const { orderId, payments, settle } = await start(unreachable);
    const claims = [callbackAbout(orderId, { status: "failed" }), callbackAbout(orderId)];
    if (round % 2) claims.reverse();
    answerTogether(payments, 2);
    await Promise.all(claims.map((callback) => settle({ source: "notice", callback })));
    payments.verify = async () => failed;
    await settle({ source: "verification" });
    expect((await orderRow(db, orderId)).status).toBe("success");
    expect(await deliveriesOf(db, orderId)).toBe(1);
  }
});

test("a paid order is not checked again, and a repeated notice changes nothing", async () => {
  const { orderId, payments, settle } = await start(verifiedPaid);
  await settle({ source: "return", callback: callbackAbout(orderId) });
  const before = await orderRow(db, orderId);
  payments.answer = failed;
  await settle({ source: "notice", callback: callbackAbout(orderId) });
  await settle({ source: "notice", callback: callbackAbout(orderId, { status: "failed" }) });
  await settle({ source: "verification" });
  expect(await orderRow(db, orderId)).toEqual(before);
  expect(payments.asked).toHaveLength(1);
  expect(await deliveriesOf(db, orderId)).toBe(1);
});

test("a failed order can still be paid, but a paid one never fails", async () => {
  const { orderId, payments, settle } = await start(failed);
  expect(await settle({ source: "verification" })).toMatchObject({ status: "failed" });
  expect((await orderRow(db, orderId)).nextCheckAt).not.toBeNull();

  payments.answer = verifiedPaid;
  expect(await settle({ source: "verification" })).toMatchObject({ status: "success" });
  payments.answer = failed;
  expect(await settle({ source: "verification" })).toMatchObject({ status: "success" });
  expect(await deliveriesOf(db, orderId)).toBe(1);
});

test("an unknown order returns null", async () => {
  const { settle } = await start(verifiedPaid);
  expect(await settle({ orderId: "TXN_UNKNOWN", source: "verification" })).toBeNull();
});

describe("an order stays pending", () => {
  test("if the provider does not confirm the callback", async () => {
    const { orderId, settle } = await start(failed);
    const callback = callbackAbout(orderId);
    expect(await settle({ source: "return", callback })).toMatchObject({ status: "pending" });
    expect((await orderRow(db, orderId)).nextCheckAt).not.toBeNull();
  });

  test("if the provider is unreachable and there is no callback", async () => {
    const { settle } = await start(unreachable);
    expect(await settle({ source: "verification" })).toMatchObject({ status: "pending" });
  });

  test.each([
    ["about another merchant", { keyMatches: false }],
    ["about another order", { txnId: "TXN_OTHER" }],
    ["with another amount", { amountPaise: price - 1 }],
    ["without an amount", { amountPaise: null }],
  ])("if there is only a callback %s", async (_what, changes) => {
    const { orderId, settle } = await start(unreachable);
    const callback = callbackAbout(orderId, changes);
    expect(await settle({ source: "notice", callback })).toMatchObject({ status: "pending" });
    expect(await deliveriesOf(db, orderId)).toBe(0);
  });
});

test("an unconfirmed claim keeps the order pending at every later check", async () => {
  const { orderId, payments, settle } = await start(failed);
  await settle({ source: "return", callback: callbackAbout(orderId) });
  expect(await settle({ source: "verification" })).toMatchObject({ status: "pending" });
  payments.answer = verifiedPaid;
  expect(await settle({ source: "verification" })).toMatchObject({ status: "success" });
  expect(await deliveriesOf(db, orderId)).toBe(1);
});

test("a signed callback decides while the provider is unreachable", async () => {
  const paid = await start(unreachable);
  await paid.settle({ source: "return", callback: callbackAbout(paid.orderId) });
  expect(await orderRow(db, paid.orderId)).toMatchObject({ status: "success" });

  const declined = await start(unreachable);
  const callback = callbackAbout(declined.orderId, { status: "failed" });
  await declined.settle({ source: "return", callback });
  expect(await orderRow(db, declined.orderId)).toMatchObject({ status: "failed" });
});

test("a wrong amount delivers nothing and is reported to support once", async () => {
  const { orderId, settle } = await start({ ...verifiedPaid, amountPaise: 1_00 } as Verification);
  await settle({ source: "return", callback: callbackAbout(orderId) });
  await settle({ source: "verification" });
  expect(await orderRow(db, orderId)).toMatchObject({
    status: "pending",
    // These identify the payment to refund.
    providerPaymentId: "403",
    capturedPaise: 1_00,
  });
  expect(await deliveriesOf(db, orderId)).toBe(0);

  const mails = await mailsTo(db, app.config.product.supportEmail);
  const reports = mails.filter((mail) => mail.subject.includes(orderId));
  expect(reports).toHaveLength(1);
  expect(reports[0]!.text).toContain("₹1.00");
  expect(reports[0]!.text).toContain("₹199.00");
});

describe("after a failed delivery", () => {
  test("the order is unchanged and due for another check soon", async () => {
    const { orderId, payments, settle } = await start(verifiedPaid);
    payments.deliver = async (tx, order) => {
      await deliverForTest(tx, order);
      throw new Error("out of stock");
    };
    const settling = settle({ source: "notice", callback: callbackAbout(orderId) });
    await expect(settling).rejects.toThrow("out of stock");

    const order = await orderRow(db, orderId);
    expect(order).toMatchObject({ status: "pending", settledAt: null, providerPaymentId: null });
    expect(order.nextCheckAt!.getTime()).toBeLessThan(now().getTime() + 6 * minute);
    expect(await deliveriesOf(db, orderId)).toBe(0);
    expect(await eventsOf(db, orderId)).toHaveLength(1);
  });

  test("the next call delivers", async () => {
    const { orderId, payments, settle } = await start(verifiedPaid);
    payments.deliver = () => Promise.reject(new Error("out of stock"));
    await expect(settle({ source: "verification" })).rejects.toThrow("out of stock");
    payments.deliver = deliverForTest;
    expect(await settle({ source: "verification" })).toMatchObject({ status: "success" });
    expect(await deliveriesOf(db, orderId)).toBe(1);
  });

  test("one failure among concurrent calls does not stop another from delivering", async () => {
    const { orderId, payments, settle } = await start(verifiedPaid);
    answerTogether(payments, 5);
    let calls = 0;
    payments.deliver = async (tx, order) => {
      if (calls++ === 0) throw new Error("out of stock");
      await deliverForTest(tx, order);
    };
    const settlings = Array.from({ length: 5 }, () => settle({ source: "verification" }));
    const results = await Promise.allSettled(settlings);
    expect(results.filter((result) => result.status === "rejected")).toHaveLength(1);
    expect(await orderRow(db, orderId)).toMatchObject({ status: "success" });
    expect(await deliveriesOf(db, orderId)).toBe(1);
  });
});

/** Holds all answers back until this many callers have asked, so that they settle at the same moment. */
function answerTogether(payments: TestPayments, count: number): void {
  const allAsked = Promise.withResolvers<void>();
  payments.verify = async (txnId) => {
    if (payments.asked.push(txnId) === count) allAsked.resolve();
    await allAsked.promise;
    return payments.answer;
  };
}

/** Starts an order for Asha, with a provider that gives this answer. */
async function start(answer: Verification) {
  const payments = { ...testPayments(), answer, deliver: deliverForTest };
  const { orderId } = await startedOrder(db, asha);
  const settle = (settlement: Omit<Settlement, "orderId"> & { orderId?: string }) =>
    settleOrder(app, payments, { orderId, ...settlement });
  return { orderId, payments, settle };
}
