import { expect, test } from "vitest";
import { testConfig } from "../../../tests/support/product/config.ts";
import { person } from "../../../tests/support/rows/people.ts";
import { testPeople } from "../../../tests/support/rows/test-people.ts";
import { invoicedOrder } from "../../../tests/support/rows/invoices.ts";
import { order, paidReview } from "../../../tests/support/rows/refunds.ts";
import { formatDecisionReason } from "../../payments/decide.ts";
import { NotFound } from "../../platform/errors.ts";
import { requestRefund } from "../../review-customer/refunds/refunds.server.ts";
import {
  formatOrderEvent,
  buildOrdersAddress,
  type OrdersQuery,
  parseOrdersQuery,
} from "./order-copy.ts";
import { listOrders, getOrder } from "./read-orders.server.ts";

const { db, ...who } = await testPeople();

const all: OrdersQuery = { search: "", state: null, after: null };
async function findOrders(query: Partial<OrdersQuery>): Promise<string[]> {
  const { rows } = await listOrders(db, who.gita, { ...all, ...query });
  return rows.map(({ orderId }) => orderId);
}

test("a search finds orders by our ID, PayU's ID, or the customer's name or email", async () => {
  const ezhil = await person(db, "Ezhil Murugan");
  const own = await order(db, ezhil, { providerPaymentId: "403993715521937565" });
  const others = await order(db, who.asha);
  const searches = [own, "403993715521937565", "ezhil mur", "HIL.MURUGAN", "zh"];
  for (const search of searches) {
    const rows = await findOrders({ search });
    expect(rows, search).toContain(own);
    expect(rows, search).not.toContain(others);
  }
  expect(await findOrders({ search: "nobody at all" })).toEqual([]);
});

test("orders are filtered by their state or their refund's state", async () => {
  const failed = await order(db, who.asha, { status: "failed", capturedPaise: null });
  const bought = await paidReview(db, { buyer: who.asha, reviewer: who.meera });
  await requestRefund(db, who.asha, bought.orderId, "", testConfig());
  expect(await findOrders({ state: "failed" })).toContain(failed);
  expect(await findOrders({ state: "success" })).not.toContain(failed);
  expect(await findOrders({ state: "refund-under-way" })).toEqual([bought.orderId]);
  expect(await findOrders({ state: "refunded" })).toEqual([]);
});

test("an order shows its review, its refunds and its events, oldest first", async () => {
  const bought = await paidReview(db, { buyer: who.asha, reviewer: who.meera });
  await requestRefund(db, who.asha, bought.orderId, "", testConfig());
  const facts = await getOrder(db, who.gita, bought.orderId);
  expect(facts).toMatchObject({
    buyer: who.asha.email,
    review: { id: bought.reviewId, withdrawnAt: expect.any(Date) },
    refunds: [{ state: "approved", grounds: "not begun" }],
  });
  expect(facts.events.map(formatOrderEvent)).toEqual([
    "Refund for Asha Verma approved automatically: no reviewer had started.",
  ]);
  await expect(getOrder(db, who.gita, "TXN_NONE")).rejects.toThrow(NotFound);
});

test("an order shows the serial of its invoice", async () => {
  const orderId = await invoicedOrder(db, who.asha);
  const { invoice } = await getOrder(db, who.gita, orderId);
  expect(invoice).toMatch(/^NK\/\d\d-\d\d\/\d{6}$/);
});

test.each([
  ["start", "199.00", "pending", {}, "Payment of ₹199.00 started."],
  ["notice", "success", "success", {}, 'A PayU webhook reported "success". The order is paid.'],
  [
    "verification",
    "unreachable",
    "unchanged",
    { reason: "unreachable" },
    `A check with PayU reported "unreachable". Nothing changed. ${formatDecisionReason("unreachable")}`,
  ],
  [
    "return",
    "success",
    "unchanged",
    { reason: "already paid" },
    `The customer's browser reported "success". The order was already paid.`,
  ],
  [
    "refund",
    "refusal",
    "declined",
    { by: "Gita", answer: "It is complete." },
    'Refund declined by Gita. "It is complete."',
  ],
  [
    "refund",
    "failed",
    "failed",
    { reason: "Invalid amount" },
    'PayU reported that the refund failed: "Invalid amount".',
  ],
  ["refund", "queued", "unchanged", {}, "The refund is still in PayU's queue."],
])("a %s event with %s and outcome %s is a sentence", (source, said, outcome, detail, sentence) => {
  expect(formatOrderEvent({ source, said, outcome, detail })).toBe(sentence);
});

test("invalid filters in the address are ignored", () => {
  const read = (query: string) => parseOrdersQuery(new URLSearchParams(query));
  expect(read("state=constructor&search=%00 ")).toEqual(all);
  expect(buildOrdersAddress(read("search=asha&state=refunded"))).toBe(
    "?search=asha&state=refunded",
  );
});
