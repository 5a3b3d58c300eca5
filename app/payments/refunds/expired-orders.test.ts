import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { testConfig } from "../../../tests/support/product/config.ts";
import { testDatabase } from "../../../tests/support/product/database.ts";
import { startedOrder } from "../../../tests/support/payments/payments.ts";
import { invoicedOrder, settledRefund } from "../../../tests/support/rows/invoices.ts";
import { person } from "../../../tests/support/rows/people.ts";
import { users } from "../../accounts/tables.server.ts";
import { day, now } from "../../platform/clock.ts";
import { creditNotes } from "./tables.server.ts";
import { deleteOldOrders, deleteOldPersonalDetails } from "./expired-orders.server.ts";
import { invoices, orderEvents, orders } from "../tables.server.ts";

const { db } = await testDatabase();

async function settledOrder(age: number) {
  const asha = await person(db, "Asha Verma");
  const { orderId } = await startedOrder(db, asha);
  const settledAt = new Date(now().getTime() - age);
  await db
    .update(orders)
    .set({ status: "success", settledAt, nextCheckAt: null, createdAt: settledAt })
    .where(eq(orders.orderId, orderId));
  await db.insert(orderEvents).values([
    {
      orderId,
      at: settledAt,
      source: "return",
      said: "success",
      outcome: "success",
      detail: { reason: "paid", callback: { status: "success", errorMessage: "Asha's card" } },
    },
    {
      orderId,
      at: settledAt,
      source: "refund",
      said: "unhappy",
      outcome: "asked",
      detail: { refundId: "1", reason: "Not for Asha", by: "Asha Verma" },
    },
  ]);
  return { asha, orderId };
}

test("180 days after an order was settled, its personal details are gone and the rest stays", async () => {
  const { orderId } = await settledOrder(181 * day);
  const recent = await settledOrder(179 * day);

  expect(await deleteOldPersonalDetails(db)).toBe(1);
  expect(await deleteOldPersonalDetails(db)).toBe(0);

  const [order] = await db.select().from(orders).where(eq(orders.orderId, orderId));
  expect(order).toMatchObject({ checkoutFields: {}, amount: "199.00", status: "success" });
  const events = await db
    .select({ detail: orderEvents.detail })
    .from(orderEvents)
    .where(eq(orderEvents.orderId, orderId));
  expect(events.map(({ detail }) => detail)).toEqual(
    expect.arrayContaining([
      { reason: "paid", callback: { status: "success" } },
      { refundId: "1" },
    ]),
  );
  const [kept] = await db.select().from(orders).where(eq(orders.orderId, recent.orderId));
  expect(kept!.checkoutFields).toMatchObject({ firstname: "Asha Verma" });
});

test("orders of deleted accounts go after the years of the setting, and no others", async () => {
  const config = testConfig({ RETENTION_YEARS_ORDERS: "3" });
  const old = await settledOrder(4 * 366 * day);
  const living = await settledOrder(4 * 366 * day);
  const recent = await settledOrder(2 * 366 * day);
  for (const { asha } of [old, recent]) await db.delete(users).where(eq(users.id, asha.id));
  const createdAt = new Date(now().getTime() - 4 * 366 * day);
  const orderId = await invoicedOrder(db, null, { fields: { createdAt } });
  const [invoiced] = await db.select().from(orders).where(eq(orders.orderId, orderId));
  await settledRefund(db, invoiced!);

  expect(await deleteOldOrders(db, config)).toBe(2);
  expect(await db.$count(invoices)).toBe(0);
  expect(await db.$count(creditNotes)).toBe(0);

  expect(await db.$count(orders, eq(orders.orderId, old.orderId))).toBe(0);
  expect(await db.$count(orderEvents, eq(orderEvents.orderId, old.orderId))).toBe(0);
  for (const { orderId } of [living, recent])
    expect(await db.$count(orders, eq(orders.orderId, orderId))).toBe(1);
});
