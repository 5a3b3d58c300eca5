import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { testConfig } from "../../../tests/support/product/config.ts";
import {
  deliverForTest,
  startedOrder,
  testPayments,
  verifiedPaid,
} from "../../../tests/support/payments/payments.ts";
import { person } from "../../../tests/support/rows/people.ts";
import { testPeople } from "../../../tests/support/rows/test-people.ts";
import { users } from "../../accounts/tables.server.ts";
import { day, now } from "../../platform/clock.ts";
import { createLog } from "../../platform/log.server.ts";
import { auditEvents } from "../../platform/tables.server.ts";
import { settleOrder } from "../settle-order.server.ts";
import { orders } from "../tables.server.ts";
import { listOrdersToResolve, resolveOrder } from "./orders-to-resolve.server.ts";

const { db, asha, gita } = await testPeople();
const app = { db, config: testConfig(), log: createLog("silent") };
const payments = { ...testPayments(), deliver: deliverForTest };
const settle = (orderId: string) => settleOrder(app, payments, { orderId, source: "verification" });
const listed = async () => (await listOrdersToResolve(db, 10)).map(({ orderId }) => orderId);

beforeEach(async () => {
  await db.delete(orders);
});

test("a payment for a deleted account is listed until an admin resolves it", async () => {
  const buyer = await person(db, "Gone Soon");
  const { orderId } = await startedOrder(db, buyer);
  await db.delete(users).where(eq(users.id, buyer.id));
  expect(await listed()).toEqual([]);
  payments.answer = verifiedPaid;
  await settle(orderId);
  const [found] = await listOrdersToResolve(db, 10);
  expect(found).toMatchObject({ orderId, buyer: "Deleted account" });
  expect(found?.why).toContain("Refund it");
  await resolveOrder(db, gita, { orderId, note: "Given back in the dashboard." });
  expect(await listed()).toEqual([]);
  const events = await db.select().from(auditEvents).where(eq(auditEvents.subjectId, orderId));
  expect(events.find(({ event }) => event === "order.resolve")).toMatchObject({
    actorName: "Gita Menon",
    after: { note: "Given back in the dashboard." },
  });
});

test("deleting an account after its payment lists nothing", async () => {
  const buyer = await person(db, "Gone Later");
  const { orderId } = await startedOrder(db, buyer);
  payments.answer = verifiedPaid;
  await settle(orderId);
  await db.delete(users).where(eq(users.id, buyer.id));
  expect(await listed()).toEqual([]);
});

test("a failed order without an answer at the last check is listed until it is paid", async () => {
  const orderId = await failedLongAgo();
  payments.answer = { outcome: "unreachable", reason: "answered 503" };
  await settle(orderId);
  const [found] = await listOrdersToResolve(db, 10);
  expect(found).toMatchObject({ orderId, buyer: asha.email });
  expect(found?.why).toContain("PayU couldn't tell us");
  payments.answer = verifiedPaid;
  await settle(orderId);
  expect(await listed()).toEqual([]);
});

test("a resolved order is not listed again after another check", async () => {
  const orderId = await failedLongAgo();
  payments.answer = { outcome: "unreachable", reason: "answered 503" };
  await settle(orderId);
  await resolveOrder(db, gita, { orderId, note: "They have paid by bank." });
  await settle(orderId);
  expect(await listed()).toEqual([]);
  const again = resolveOrder(db, gita, { orderId, note: "Twice." });
  await expect(again).rejects.toThrow("already settled or resolved");
});

test("if two admins resolve the same order at once, only one succeeds", async () => {
  const { orderId } = await startedOrder(db, asha);
  await db.update(orders).set({ nextCheckAt: null });
  const answers = await Promise.allSettled([
    resolveOrder(db, gita, { orderId, note: "Given back." }),
    resolveOrder(db, gita, { orderId, note: "Given back." }),
  ]);
  expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
});

async function failedLongAgo(): Promise<string> {
  const { orderId } = await startedOrder(db, asha);
  const createdAt = new Date(now().getTime() - 9 * day);
  await db
    .update(orders)
    .set({ status: "failed", createdAt, nextCheckAt: null })
    .where(eq(orders.orderId, orderId));
  return orderId;
}
