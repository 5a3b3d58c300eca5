import { expect, test } from "vitest";
import { testConfig } from "../../tests/support/product/config.ts";
import { stopClock } from "../../tests/support/product/stop-clock.ts";
import { eventsOf, orderRow, testPayments } from "../../tests/support/payments/payments.ts";
import { testPeople } from "../../tests/support/rows/test-people.ts";
import { minute } from "../platform/clock.ts";
import { TooMany } from "../platform/errors.ts";
import { hashRequest } from "./payu.server.ts";
import { startOrder } from "./start-order.server.ts";
import { orders } from "./tables.server.ts";

const { db, asha, ravi } = await testPeople();
const payments = testPayments();
const parts = { config: testConfig(), payments };
const compass = {
  buyer: { ...asha, phone: "9876543210" },
  amountPaise: 299_00,
  productInfo: "Compass",
  serviceCode: null,
  serviceType: "compass",
  place: null,
  purpose: { kind: "compass", needle: "north" },
  retryPath: "/services?step=payment",
} as const;

test("a new order is pending and has the form that leads to the provider", async () => {
  const { orderId, checkoutUrl, fields } = await startOrder(db, parts, compass);
  expect(orderId).toMatch(/^TXN_[A-Z0-9]{8}\d{13}$/);
  expect(orderId).toHaveLength(25);
  expect(checkoutUrl).toBe(payments.settings.checkoutUrl);
  expect(fields).toMatchObject({
    txnid: orderId,
    amount: "299.00",
    productinfo: "Compass",
    firstname: "Asha Verma",
    email: asha.email,
    phone: "9876543210",
    udf1: "compass",
    surl: `http://localhost:3000/payment-success?txnId=${orderId}`,
    furl: `http://localhost:3000/payment-failure?txnId=${orderId}`,
    hash: hashRequest(fields, payments.settings.salt),
  });

  const order = await orderRow(db, orderId);
  expect(order).toMatchObject({
    buyerId: asha.id,
    amount: "299.00",
    amountPaise: 299_00,
    status: "pending",
    purpose: { kind: "compass", needle: "north" },
    retryPath: "/services?step=payment",
    checkoutFields: fields,
    settledAt: null,
  });
  expect(order.nextCheckAt!.getTime() - order.createdAt.getTime()).toBe(2 * minute);
  expect(await eventsOf(db, orderId)).toEqual([
    { source: "start", said: "299.00", outcome: "pending" },
  ]);
});

test("a buyer who starts too many payments has to wait", async () => {
  stopClock();
  const again = () => startOrder(db, parts, { ...compass, buyer: { ...ravi, phone: null } });
  for (let count = 0; count < 10; count++) await again();
  await expect(again()).rejects.toThrow(TooMany);
});

test("an order with an invalid amount is not created", async () => {
  const before = await db.$count(orders);
  await expect(startOrder(db, parts, { ...compass, amountPaise: 0 })).rejects.toThrow(RangeError);
  expect(await db.$count(orders)).toBe(before);
});
