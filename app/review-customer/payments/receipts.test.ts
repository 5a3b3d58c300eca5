import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Actor } from "../../accounts/actor.server.ts";
import { profiles } from "../../accounts/tables.server.ts";
import { openPdfium, type PdfDocument } from "../../files/inspect/pdfium.server.ts";
import { refunds } from "../../payments/refunds/tables.server.ts";
import { getSellerFacts } from "../../payments/seller-facts.server.ts";
import { settleOrder } from "../../payments/settle-order.server.ts";
import { startOrder } from "../../payments/start-order.server.ts";
import { orders } from "../../payments/tables.server.ts";
import { createLog } from "../../platform/log.server.ts";
import { hour } from "../../platform/clock.ts";
import type { Database } from "../../platform/database.server.ts";
import { reviewOrders } from "../../reviews/tables.server.ts";
import { gstSettings, testConfig } from "../../../tests/support/product/config.ts";
import { testDatabase } from "../../../tests/support/product/database.ts";
import { orderRow, testPayments, verifiedPaid } from "../../../tests/support/payments/payments.ts";
import { people } from "../../../tests/support/rows/people.ts";
import { review } from "../../../tests/support/rows/reviews.ts";
import { order as insertOrder } from "../../../tests/support/rows/refunds.ts";
import { findReceipt } from "./own-payments.server.ts";
import { type Receipt, toReceiptDocument } from "./rules.ts";
import { createReceiptProcess } from "./receipt-routes.server.ts";

const { product } = testConfig();
const receipts = createReceiptProcess();
let db: Database;
let asha: Actor;
let ravi: Actor;
let gita: Actor;

beforeAll(async () => {
  ({ db } = await testDatabase());
  ({ asha, ravi, gita } = await people(db));
});
afterAll(() => receipts.close());

const paidAt = new Date("2026-11-20T10:34:00Z");

test("a receipt has the payment, its time, the buyer and the refund", async () => {
  const orderId = await order({ status: "success" });
  await review(db, asha, { orderId, serviceType: "combined_review" });
  const hoursAfter = (hours: number) => new Date(paidAt.getTime() + hours * hour);
  const refund = {
    orderId,
    paymentId: "403993715",
    amountPaise: 299_00,
    grounds: "overdue",
    createdAt: paidAt,
  } as const;
  await db.insert(refunds).values([
    { ...refund, token: randomUUID().slice(0, 23), state: "declined", createdAt: hoursAfter(1) },
    { ...refund, token: randomUUID().slice(0, 23), state: "failed", createdAt: hoursAfter(-1) },
    { ...refund, token: randomUUID().slice(0, 23), state: "settled", endedAt: paidAt },
  ]);
  const receipt = await findReceipt(db, asha, orderId, product);
  expect(receipt).toMatchObject({
    orderId,
    service: "Combined Review (Resume & Portfolio)",
    amount: "₹299",
    paidAt: "Nov 20, 2026, 4:04 PM IST",
    providerPaymentId: "403993715",
    buyer: { name: "Asha Verma", email: asha.email },
    refund: { amount: "₹299", label: "Refunded on Nov 20, 2026, 4:04 PM IST" },
  });
  expect(await findReceipt(db, gita, orderId, product)).toEqual(receipt);
});

test("a receipt says that a second look was bought, also when it was paid twice", async () => {
  const earlier = await review(db, asha, { status: "completed" });
  const delivered = await order({ status: "success" });
  await review(db, asha, { orderId: delivered, secondLookOf: earlier.id });
  const paidTwice = await order({ status: "success" });
  await db.insert(reviewOrders).values({
    orderId: paidTwice,
    draftId: randomUUID(),
    draftRevision: 1,
    serviceType: "resume_review",
    secondLookOf: earlier.id,
  });
  for (const orderId of [delivered, paidTwice])
    expect(await findReceipt(db, asha, orderId, product)).toMatchObject({
      service: "Second look: Resume Review",
    });
});

test("unpaid, missing and other people's orders have no receipt", async () => {
  const paid = await order({ status: "success" });
  expect(await findReceipt(db, ravi, paid, product)).toBeNull();
  expect(await findReceipt(db, asha, "TXN_none", product)).toBeNull();
  for (const status of ["pending", "failed"] as const) {
    const orderId = await order({ status });
    expect(await findReceipt(db, asha, orderId, product)).toBeNull();
    expect(await findReceipt(db, gita, orderId, product)).toBeNull();
  }
});

test("a payment keeps its receipt when its buyer's account is deleted", async () => {
  const orderId = await order({ status: "success" });
  await db.update(orders).set({ buyerId: null }).where(eq(orders.orderId, orderId));
  expect(await findReceipt(db, gita, orderId, product)).toMatchObject({
    orderId,
    buyer: { name: null },
  });
});

test("the PDF is one page with readable text, in every script that a name uses", async () => {
  const names = ["आशा वर्मा", "தமிழ்ச்செல்வி", "Ásha D’Souza-Łukasz"];
  await db
    .update(profiles)
    .set({ fullName: names.join(" / ") })
    .where(eq(profiles.id, asha.id));
  const orderId = await order({ status: "success" });
  const receipt = (await findReceipt(db, asha, orderId, product))!;
  const { pages, text } = await read(receipt);
  expect(pages).toBe(1);
  for (const expected of [
    ...names,
    product.name,
    product.merchant,
    orderId,
    "403993715",
    asha.email,
    "₹299",
    "Nov 20, 2026, 4:04 PM IST",
    product.supportEmail,
    product.address,
    product.officer.name,
    product.officer.phone,
  ])
    expect(text).toContain(expected);
  expect(text.toLowerCase()).not.toContain("tax invoice");
});

const purchase = {
  amountPaise: 199_00,
  productInfo: "Resume Review",
  serviceType: "resume_review",
  // Orders from before that question have a GSTIN but no invoice.
  place: null,
  purpose: { kind: "review" },
  retryPath: "/services",
} as const;

const registered = testConfig({ ...gstSettings, LISTING_PRICE: "999" });
/** The settings of another seller. Only its contacts may appear on a receipt of before. */
const changed = testConfig({
  PRODUCT_NAME: "Compass",
  MERCHANT_NAME: "Compass Careers",
  MERCHANT_ADDRESS: "12 Park Road, Bengaluru, Karnataka 560001",
  GSTIN: "29ABCDE1234F1ZW",
  MERCHANT_STATE: "Karnataka",
  SAC_REVIEW: "998312",
  SAC_LISTING: "998361",
  GST_RATE: "5",
  LISTING_PRICE: "1",
  GRIEVANCE_OFFICER_NAME: "Nandini Rao",
  SUPPORT_EMAIL: "support@careers.example.com",
});

test.each(["review", "listing"])(
  "the receipt of a %s has the seller of its order, even when it is paid after a change",
  async (kind) => {
    const { reviewCode, listingCode } = registered.product.tax!;
    const parts = { config: registered, payments: testPayments() };
    const serviceCode = kind === "review" ? reviewCode : listingCode;
    const { orderId } = await startOrder(db, parts, {
      ...purchase,
      buyer: { ...asha, phone: null },
      serviceCode,
    });
    expect(await orderRow(db, orderId)).toMatchObject({
      ...getSellerFacts(registered.product, serviceCode),
      taxRate: 18,
    });

    const app = { db, config: changed, log: createLog("silent") };
    const payments = { ...testPayments(), answer: verifiedPaid, deliver: async () => {} };
    const settled = await settleOrder(app, payments, { orderId, source: "verification" });
    expect(settled).toEqual({ status: "success", amountPaise: 199_00 });

    const receipt = (await findReceipt(db, asha, orderId, changed.product))!;
    const { contacts, ...facts } = (await findReceipt(db, asha, orderId, registered.product))!;
    expect(receipt).toMatchObject(facts);
    expect(receipt.contacts).not.toEqual(contacts);
    const { text } = await read(receipt);
    for (const fact of ["08ABCDE1234F1Z0 (Rajasthan)", serviceCode!, "Naksha", "Jaipur"])
      expect(text).toContain(fact);
    expect(text).not.toMatch(/Compass|Bengaluru|Karnataka|29ABCDE|9983[16][12]/);
  },
);

test("an order from before has today's seller, without a tax", async () => {
  const orderId = await order({ status: "success" });
  const { text } = await read((await findReceipt(db, asha, orderId, changed.product))!);
  expect(text).toContain("Compass Careers");
  expect(text).toContain("Bengaluru");
  expect(text).not.toMatch(/GSTIN|SAC|29ABCDE|998312/);
});

test("the PDF shows a refund below the payment", async () => {
  const orderId = await order({ status: "success" });
  const receipt = (await findReceipt(db, asha, orderId, product))!;
  const label = "Refund in progress since Nov 22, 2026, 9:30 AM IST";
  const { text } = await read({ ...receipt, refund: { amount: "₹299", label } });
  expect(text).toContain(label);
  expect(text.indexOf(label)).toBeGreaterThan(text.indexOf("Paid "));
  expect(text).toContain("−₹299");
});

async function read(receipt: Receipt): Promise<{ pages: number; text: string }> {
  const pdf = await receipts.make(toReceiptDocument(receipt), asha.id);
  const document = (await openPdfium()).open(pdf) as PdfDocument;
  const text = document.openPage(0)!.text().text.replaceAll(/\s+/g, " ");
  return { pages: document.pageCount, text };
}

async function order({ status }: { status: "pending" | "success" | "failed" }): Promise<string> {
  const times = { createdAt: paidAt, settledAt: paidAt };
  return insertOrder(db, asha, {
    amount: "299.00",
    status,
    providerPaymentId: "403993715",
    ...times,
  });
}
