import { expect, test } from "vitest";
import { testConfig } from "../../../tests/support/product/config.ts";
import { testDatabase } from "../../../tests/support/product/database.ts";
import { people, person } from "../../../tests/support/rows/people.ts";
import { order, paidReview } from "../../../tests/support/rows/refunds.ts";
import { NotFound } from "../../platform/errors.ts";
import { requestRefund } from "../../review-customer/refunds/refunds.server.ts";
import {
  formatOrderEvent,
  buildOrdersAddress,
  type OrdersQuery,
  parseOrdersQuery,
} from "./order-copy.ts";
import { listOrders, getOrder } from "./read-orders.server.ts";

const { db } = await testDatabase();
const who = await people(db);

const all: OrdersQuery = { search: "", state: null, after: null };
async function found(query: Partial<OrdersQuery>): Promise<string[]> {
  const { rows } = await listOrders(db, who.gita, { ...all, ...query });
  return rows.map(({ orderId }) => orderId);
}

test("an order is found by its transaction, the provider's, and its person's name or address", async () => {
  const ezhil = await person(db, "Ezhil Murugan");
  const own = await order(db, ezhil, { providerPaymentId: "403993715521937565" });
  const others = await order(db, who.asha);
  const searches = [own, "403993715521937565", "ezhil mur", "HIL.MURUGAN", "zh"];
  for (const search of searches) {
    const rows = await found({ search });
    expect(rows, search).toContain(own);
    expect(rows, search).not.toContain(others);
  }
  expect(await found({ search: "nobody at all" })).toEqual([]);
});

test("orders are filtered by their own state and by that of their refund", async () => {
  const failed = await order(db, who.asha, { status: "failed", capturedPaise: null });
  const bought = await paidReview(db, { buyer: who.asha, reviewer: who.meera });
  await requestRefund(db, who.asha, bought.orderId, "", testConfig());
  expect(await found({ state: "failed" })).toContain(failed);
  expect(await found({ state: "success" })).not.toContain(failed);
  expect(await found({ state: "refund-under-way" })).toEqual([bought.orderId]);
  expect(await found({ state: "refunded" })).toEqual([]);
});

test("an order tells what it bought, its refunds and every event in order", async () => {
  const bought = await paidReview(db, { buyer: who.asha, reviewer: who.meera });
  await requestRefund(db, who.asha, bought.orderId, "", testConfig());
  const facts = await getOrder(db, who.gita, bought.orderId);
  expect(facts).toMatchObject({
    buyer: who.asha.email,
    review: { id: bought.reviewId, withdrawnAt: expect.any(Date) },
    refunds: [{ state: "approved", grounds: "not begun" }],
  });
  expect(facts.events.map(formatOrderEvent)).toEqual([
    "A refund was granted at once to Asha Verma: nobody had begun.",
  ]);
  await expect(getOrder(db, who.gita, "TXN_NONE")).rejects.toThrow(NotFound);
});

test.each([
  ["start", "199.00", "pending", {}, "A payment of ₹199.00 was begun."],
  [
    "notice",
    "success",
    "success",
    {},
    'A notice of the provider said "success": the order is paid.',
  ],
  [
    "verification",
    "unreachable",
    "unchanged",
    { reason: "unreachable" },
    'The provider, when asked, said "unreachable": nothing changed. We couldn\'t reach PayU.',
  ],
  [
    "return",
    "success",
    "unchanged",
    { reason: "already paid" },
    `The payer's return said "success": it was paid already.`,
  ],
  [
    "refund",
    "refusal",
    "declined",
    { by: "Gita", answer: "It is whole." },
    'The refund was declined by Gita. "It is whole."',
  ],
  [
    "refund",
    "failed",
    "failed",
    { reason: "Invalid amount" },
    'The provider says that the refund failed: "Invalid amount".',
  ],
  ["refund", "queued", "unchanged", {}, "The provider still has the refund in its queue."],
])("a %s that said %s and led to %s stands in words", (source, said, outcome, detail, words) => {
  expect(formatOrderEvent({ source, said, outcome, detail })).toBe(words);
});

test("an address that is not understood shows every order", () => {
  const read = (query: string) => parseOrdersQuery(new URLSearchParams(query));
  expect(read("state=constructor&search=%00 ")).toEqual(all);
  expect(buildOrdersAddress(read("search=asha&state=refunded"))).toBe(
    "?search=asha&state=refunded",
  );
});
