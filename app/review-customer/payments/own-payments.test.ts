import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import type { Actor } from "../../accounts/actor.server.ts";
import { refunds } from "../../payments/refunds/tables.server.ts";
import { hour, now } from "../../platform/clock.ts";
import type { Database } from "../../platform/database.server.ts";
import { testDatabase } from "../../../tests/support/product/database.ts";
import { people } from "../../../tests/support/rows/people.ts";
import { review } from "../../../tests/support/rows/reviews.ts";
import { order as insertOrder } from "../../../tests/support/rows/refunds.ts";
import { reviewOrders } from "../../reviews/tables.server.ts";
import { listOwnPayments, ownPaymentsPerPage } from "./own-payments.server.ts";
import { toPaymentBadge, formatPaymentNote } from "./rules.ts";

let db: Database;
let asha: Actor;
let ravi: Actor;
let sonia: Actor;

beforeAll(async () => {
  ({ db } = await testDatabase());
  ({ asha, ravi, sonia } = await people(db));
});

test("a person's payments are listed newest first, with their service and review", async () => {
  const failed = await order(asha, { hoursAgo: 3, status: "failed" });
  const paid = await order(asha, { hoursAgo: 2, status: "success" });
  const open = await order(asha, { hoursAgo: 1, status: "pending" });
  await order(ravi, { hoursAgo: 0, status: "success" });
  const { id } = await review(db, asha, { orderId: paid, serviceType: "combined_review" });
  const { payments, next } = await listOwnPayments(db, asha);
  expect(payments.map(({ orderId }) => orderId)).toEqual([open, paid, failed]);
  expect(payments[1]).toMatchObject({
    service: "Combined Review (Resume & Portfolio)",
    amountPaise: 299_00,
    reviewId: id,
    refund: null,
  });
  expect(payments[2]).toMatchObject({ reviewId: null, retryPath: "/services/combined-review" });
  expect(next).toBeNull();
});

test("a payment shows the state of its last refund", async () => {
  const { refund } = (await listOwnPayments(db, sonia)).payments[0] ?? {};
  expect(refund).toBeUndefined();
  const orderId = await order(sonia, { hoursAgo: 1, status: "success" });
  const fields = { orderId, paymentId: "403", amountPaise: 299_00, grounds: "not begun" } as const;
  const at = (hours: number) => new Date(now().getTime() - hours * hour);
  await db.insert(refunds).values([
    { ...fields, token: "first", state: "failed", createdAt: at(5) },
    { ...fields, token: "second", state: "settled", createdAt: at(2) },
    { ...fields, token: "third", state: "declined", createdAt: at(9) },
  ]);
  const { payments } = await listOwnPayments(db, sonia);
  expect(payments[0]!.refund).toMatchObject({ state: "settled" });
});

test("the pages of a long list have every payment exactly once", async () => {
  const customer = ravi;
  const ids = [];
  for (let hoursAgo = 0; hoursAgo < ownPaymentsPerPage + 3; hoursAgo++)
    ids.push(await order(customer, { hoursAgo: 100 + Math.floor(hoursAgo / 2), status: "failed" }));
  const first = await listOwnPayments(db, customer);
  const second = await listOwnPayments(db, customer, first.next);
  const listed = [...first.payments, ...second.payments].map(({ orderId }) => orderId);
  expect(first.payments).toHaveLength(ownPaymentsPerPage);
  expect(new Set(listed).size).toBe(listed.length);
  expect(listed).toEqual(expect.arrayContaining(ids));
  expect(second.next).toBeNull();
  expect((await listOwnPayments(db, customer, "none")).payments).toEqual(first.payments);
});

test("the badge follows the state of the money", () => {
  expect(toPaymentBadge("success", null).label).toBe("Paid");
  expect(toPaymentBadge("success", "declined").label).toBe("Paid");
  expect(toPaymentBadge("success", "approved").label).toBe("Refund in progress");
  expect(toPaymentBadge("success", "settled").label).toBe("Refunded");
  // The captured amount differs from the price.
  expect(toPaymentBadge("pending", "sent").label).toBe("Refund in progress");
  expect(formatPaymentNote("pending", "sent", false)).toBeNull();
  expect(formatPaymentNote("failed", null, false)).toContain("your review starts then");
  expect(formatPaymentNote("failed", null, true)).toContain("your listing goes live then");
});

async function order(
  buyer: Actor,
  { hoursAgo, status }: { hoursAgo: number; status: "pending" | "success" | "failed" },
): Promise<string> {
  const createdAt = new Date(now().getTime() - hoursAgo * hour);
  const retryPath = "/services/combined-review";
  const orderId = await insertOrder(db, buyer, { amount: "299.00", status, retryPath, createdAt });
  const serviceType = "combined_review" as const;
  await db
    .insert(reviewOrders)
    .values({ orderId, draftId: randomUUID(), draftRevision: 1, serviceType });
  return orderId;
}
