import { eq } from "drizzle-orm";
import { afterAll, beforeEach, expect, test } from "vitest";
import { testConfig } from "../../../tests/support/product/config.ts";
import { orderRow } from "../../../tests/support/payments/payments.ts";
import { invoicedOrder, settledRefund, taxedOrder } from "../../../tests/support/rows/invoices.ts";
import { testPeople } from "../../../tests/support/rows/test-people.ts";
import { profiles } from "../../accounts/tables.server.ts";
import { openPdfium, type PdfDocument } from "../../files/inspect/pdfium.server.ts";
import { creditNotes } from "../../payments/refunds/tables.server.ts";
import { invoices, orders } from "../../payments/tables.server.ts";
import { outsideIndia } from "../../payments/tax/buyer-place.ts";
import { listDocuments, listOwnPayments } from "./own-payments.server.ts";
import { createReceiptProcess } from "./receipt-routes.server.ts";
import type { PaymentDocument } from "../../payments/payment-document.ts";

const { db, asha, ravi, meera, gita } = await testPeople();
const receipts = createReceiptProcess();
afterAll(() => receipts.close());

/** The settings of another seller, which no document may show. */
const { product } = testConfig({
  PRODUCT_NAME: "Compass",
  MERCHANT_NAME: "Compass Careers",
  MERCHANT_ADDRESS: "12 Park Road, Bengaluru, Karnataka 560001",
  GRIEVANCE_OFFICER_NAME: "Nandini Rao",
  SUPPORT_EMAIL: "support@careers.example.com",
});

const issuedAt = new Date("2026-11-30T18:45:00Z");

/** Fixes the serials and the dates, which are the database's. */
beforeEach(async () => {
  await db.delete(creditNotes);
  await db.delete(invoices);
});
const fixInvoice = () => db.update(invoices).set({ serial: "NK/26-27/000123", issuedAt });
const fixCreditNote = () => db.update(creditNotes).set({ serial: "CN/26-27/000004", issuedAt });

async function read(content: PaymentDocument): Promise<{ pages: number; text: string }> {
  const pdf = await receipts.make(content, asha.id);
  const document = (await openPdfium()).open(pdf) as PdfDocument;
  const text = document.openPage(0)!.text().text.replaceAll(/\s+/g, " ");
  return { pages: document.pageCount, text };
}

test("an invoiced order has its invoice instead of a receipt, on one page", async () => {
  const orderId = await invoicedOrder(db, asha, {
    state: "Karnataka",
    gstin: "29ABCDE1234F1ZW",
  });
  await fixInvoice();
  const [invoice, ...others] = await listDocuments(db, asha, orderId, product);
  expect(others).toEqual([]);
  expect(invoice!.amounts).toEqual([
    { label: "Resume Review, taxable value", amount: "₹168.64" },
    { label: "IGST 18%", amount: "₹30.36" },
    { label: "Total paid", amount: "₹199", isTotal: true },
  ]);
  const { pages, text } = await read(invoice!);
  expect(pages).toBe(1);
  for (const fact of [
    "Tax invoice",
    "NK/26-27/000123",
    // After midnight in India.
    "Dec 1, 2026",
    orderId,
    "Sample Merchant (sole proprietor)",
    "1 Sample Street, Jaipur",
    "08ABCDE1234F1Z0 (Rajasthan)",
    "Asha Verma",
    "29ABCDE1234F1ZW",
    "Karnataka (29)",
    "998399",
    "No tax is payable on reverse charge.",
  ])
    expect(text).toContain(fact);
  expect(text).not.toMatch(/Compass|Bengaluru|Nandini|careers\.example/);
});

test("in the seller's State the tax is CGST and SGST, and abroad IGST without a code", async () => {
  const near = await invoicedOrder(db, asha);
  const abroad = await invoicedOrder(db, asha, { state: outsideIndia });
  const amountsOf = async (orderId: string) =>
    (await listDocuments(db, asha, orderId, product))[0]!.amounts;
  expect(await amountsOf(near)).toEqual([
    { label: "Resume Review, taxable value", amount: "₹168.64" },
    { label: "CGST 9%", amount: "₹15.18" },
    { label: "SGST 9%", amount: "₹15.18" },
    { label: "Total paid", amount: "₹199", isTotal: true },
  ]);
  expect((await amountsOf(abroad)).map(({ label }) => label)).toContain("IGST 18%");
  const [{ facts }] = (await listDocuments(db, asha, abroad, product)) as [PaymentDocument];
  expect(facts).toContainEqual({ name: "Place of supply", value: outsideIndia });
});

test("a refund adds the credit note, which names the invoice", async () => {
  const orderId = await invoicedOrder(db, asha);
  await settledRefund(db, await orderRow(db, orderId));
  await fixInvoice();
  await fixCreditNote();
  const [invoice, creditNote] = await listDocuments(db, asha, orderId, product);
  expect(invoice).toMatchObject({ kind: "invoice", number: "NK/26-27/000123" });
  const { text } = await read(creditNote!);
  for (const fact of [
    "Credit note",
    "CN/26-27/000004",
    "NK/26-27/000123 of Dec 1, 2026",
    "Total refunded ₹199",
    "Asha Verma",
  ])
    expect(text).toContain(fact);
});

test("documents stay as issued when the profile and the order change", async () => {
  const orderId = await invoicedOrder(db, meera);
  const before = await listDocuments(db, gita, orderId, product);
  await db.update(profiles).set({ fullName: "Meera Rao" }).where(eq(profiles.id, meera.id));
  await db
    .update(orders)
    .set({ buyerId: null, checkoutFields: {}, sellerName: "Another", buyerState: "Kerala" })
    .where(eq(orders.orderId, orderId));
  expect(await listDocuments(db, gita, orderId, product)).toEqual(before);
});

test("only the buyer and god admins get documents, of paid orders", async () => {
  const orderId = await invoicedOrder(db, asha);
  const unpaid = await taxedOrder(db, asha, { fields: { status: "pending" } });
  expect(await listDocuments(db, asha, orderId, product)).toHaveLength(1);
  expect(await listDocuments(db, gita, orderId, product)).toHaveLength(1);
  expect(await listDocuments(db, ravi, orderId, product)).toEqual([]);
  expect(await listDocuments(db, gita, unpaid, product)).toEqual([]);
  expect(await listDocuments(db, gita, "TXN_none", product)).toEqual([]);
});

test("the list of payments says which have an invoice", async () => {
  const invoiced = await invoicedOrder(db, ravi);
  const before = await taxedOrder(db, ravi);
  const { payments } = await listOwnPayments(db, ravi);
  const facts = payments.map(({ orderId, isInvoiced }) => [orderId, isInvoiced]);
  expect(Object.fromEntries(facts)).toEqual({ [invoiced]: true, [before]: false });
});
