import { parse } from "csv-parse/sync";
import { asyncProperty, array, boolean, check, constantFrom, option, record } from "fast-check";
import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { orderRow } from "../../../tests/support/payments/payments.ts";
import { invoicedOrder, settledRefund, taxedOrder } from "../../../tests/support/rows/invoices.ts";
import { testPeople } from "../../../tests/support/rows/test-people.ts";
import { order as insertOrder } from "../../../tests/support/rows/refunds.ts";
import { profiles } from "../../accounts/tables.server.ts";
import { creditNotes, refunds } from "../../payments/refunds/tables.server.ts";
import { invoices, invoiceSeries, orders } from "../../payments/tables.server.ts";
import { outsideIndia } from "../../payments/tax/buyer-place.ts";
import { auditEvents } from "../../platform/tables.server.ts";
import { getRevenue } from "../revenue.server.ts";
import { getMonthAccounts } from "./month-accounts.server.ts";
import { createInvoiceFile } from "./month-file.server.ts";
import { getMonthAway, parseMonth } from "../../platform/months.ts";

const { db, asha, ravi, gita } = await testPeople();
const october = parseMonth("2026-10");
const november = parseMonth("2026-11");

beforeEach(async () => {
  for (const table of [creditNotes, refunds, invoices, invoiceSeries, orders])
    await db.delete(table);
});

const issue = async (orderId: string, issuedAt: Date) => {
  await db.update(invoices).set({ issuedAt }).where(eq(invoices.orderId, orderId));
};
const refund = async (orderId: string, endedAt: Date) => {
  await settledRefund(db, await orderRow(db, orderId), { createdAt: endedAt, endedAt });
  await db.update(creditNotes).set({ issuedAt: endedAt }).where(eq(creditNotes.orderId, orderId));
};

test("a month is one of Indian time, and an invalid one is the current month", () => {
  expect(october.start.toISOString()).toBe("2026-09-30T18:30:00.000Z");
  expect(october.end).toEqual(november.start);
  expect(getMonthAway(parseMonth("2027-01"), -1).key).toBe("2026-12");
  for (const text of [null, "", "2026-13", "1999-01", "2026-1", "x"])
    expect(parseMonth(text).key).toMatch(/^\d{4}-\d\d$/);
});

test("an order that is paid or refunded in a later month makes the difference", async () => {
  const lastOfOctober = new Date("2026-10-31T18:29:00Z");
  const firstOfNovember = new Date("2026-10-31T18:31:00Z");
  const times = { createdAt: lastOfOctober, settledAt: lastOfOctober };
  const simple = await insertOrder(db, asha, times);
  const late = await insertOrder(db, asha, { ...times, settledAt: firstOfNovember });
  const invoiced = await invoicedOrder(db, asha, { fields: times, amountPaise: 299_00 });
  await issue(invoiced, lastOfOctober);
  await refund(invoiced, firstOfNovember);
  await insertOrder(db, asha, { ...times, status: "failed" });

  expect(await getMonthAccounts(db, gita, october)).toMatchObject({
    byOrderPaise: 398_00,
    byDocumentPaise: 498_00,
    differing: 2,
    invoices: 1,
    creditNotes: 0,
    lines: expect.arrayContaining([
      expect.objectContaining({ orderId: late, byOrderPaise: 199_00, byDocumentPaise: 0 }),
      expect.objectContaining({ orderId: invoiced, byOrderPaise: 0, byDocumentPaise: 299_00 }),
    ]),
  });
  const next = await getMonthAccounts(db, gita, november);
  expect(next).toMatchObject({
    byOrderPaise: 0,
    byDocumentPaise: -100_00,
    invoices: 0,
    creditNotes: 1,
  });
  expect(next.lines).toHaveLength(2);
  expect(next.lines).toContainEqual({
    orderId: invoiced,
    startedAt: lastOfOctober,
    paidAt: lastOfOctober,
    refundedAt: firstOfNovember,
    invoice: expect.stringMatching(/^NK/),
    creditNote: expect.stringMatching(/^CN/),
    byOrderPaise: 0,
    byDocumentPaise: -299_00,
  });
  expect(next.lines.map(({ orderId }) => orderId)).not.toContain(simple);
});

const moment = constantFrom(
  ...["09-30T18:29", "09-30T18:30", "10-15T00:00", "10-31T18:29", "10-31T18:30", "11-20T09:00"].map(
    (text) => new Date(`2026-${text}:00Z`),
  ),
);
const sale = record({
  createdAt: moment,
  settledAt: moment,
  amountPaise: constantFrom(199_00, 299_00, 1_01),
  isTaxed: boolean(),
  isPaid: constantFrom(true, true, true, false),
  refundedAt: option(moment),
});

test("by order, a month is the revenue of the overview, and the lines make the difference", async () => {
  const property = asyncProperty(array(sale, { maxLength: 8 }), async (sales) => {
    for (const table of [creditNotes, refunds, invoices, invoiceSeries, orders])
      await db.delete(table);
    for (const { createdAt, settledAt, amountPaise, isTaxed, isPaid, refundedAt } of sales) {
      const status = isPaid ? "success" : "failed";
      const fields = { createdAt, settledAt, status } as const;
      const isInvoiced = isTaxed && isPaid;
      const add = isInvoiced ? invoicedOrder : taxedOrder;
      const orderId = await add(db, asha, { amountPaise, fields });
      if (isInvoiced) await issue(orderId, settledAt);
      if (refundedAt && isPaid) await refund(orderId, refundedAt);
    }
    const months = [october, november];
    const accounts = await Promise.all(months.map((month) => getMonthAccounts(db, gita, month)));
    const revenue = await getRevenue(db, gita, new Date("2026-11-25T00:00:00Z"));
    expect(accounts.map(({ byOrderPaise }) => byOrderPaise)).toEqual([
      revenue.previous,
      revenue.current,
    ]);
    for (const { byOrderPaise, byDocumentPaise, lines, differing } of accounts) {
      expect(lines).toHaveLength(differing);
      const difference = lines.reduce(
        (sum, line) => sum + line.byDocumentPaise - line.byOrderPaise,
        0,
      );
      expect(byDocumentPaise - byOrderPaise).toBe(difference);
    }
  });
  const { counterexample, errorInstance } = await check(property, { seed: 1, numRuns: 60 });
  if (counterexample)
    throw new Error(`${JSON.stringify(counterexample)}: ${String(errorInstance)}`);
});

test("PayU's charges are summed as far as it told them", async () => {
  const at = { createdAt: october.start, settledAt: october.start };
  await insertOrder(db, asha, { ...at, providerChargesPaise: 12_50 });
  await insertOrder(db, asha, { ...at, providerChargesPaise: 0 });
  await insertOrder(db, asha, at);
  const { charges } = await getMonthAccounts(db, gita, october);
  expect(charges).toEqual({ paise: 12_50, withCharges: 2, withoutCharges: 1 });
});

test("the file has each document of the month in the columns of GSTR-1", async () => {
  const company = await invoicedOrder(db, asha, { state: "Karnataka", gstin: "29ABCDE1234F1ZW" });
  const near = await invoicedOrder(db, asha);
  const abroad = await invoicedOrder(db, asha, { state: outsideIndia });
  const large = await invoicedOrder(db, asha, { state: "Kerala", amountPaise: 1_20_000_00 });
  const later = await invoicedOrder(db, asha);
  const inOctober = new Date("2026-10-31T18:29:59Z");
  for (const orderId of [company, near, abroad, large]) await issue(orderId, inOctober);
  await issue(later, november.start);
  for (const orderId of [company, near]) await refund(orderId, inOctober);

  const text = await createInvoiceFile(db, gita, october);
  expect(text.startsWith("\uFEFF")).toBe(true);
  const rows: Record<string, string>[] = parse(text, { bom: true, columns: true });
  const brief = rows.map((row) => [
    row.Section,
    row["Transaction ID"],
    row["Place Of Supply"],
    row["Taxable Value"],
    row["Integrated Tax Amount"],
    row["Central Tax Amount"],
  ]);
  expect(brief).toEqual([
    ["B2B", company, "29-Karnataka", "168.64", "30.36", "0.00"],
    ["B2CS", near, "08-Rajasthan", "168.64", "0.00", "15.18"],
    ["B2CS", abroad, "96-Other Country", "168.64", "30.36", "0.00"],
    ["B2CL", large, "32-Kerala", "101694.92", "18305.08", "0.00"],
    ["CDNR", company, "29-Karnataka", "168.64", "30.36", "0.00"],
    ["B2CS", near, "08-Rajasthan", "168.64", "0.00", "15.18"],
  ]);
  expect(rows[4]).toMatchObject({
    "Note Type": "C",
    "GSTIN/UIN of Recipient": "29ABCDE1234F1ZW",
    "Receiver Name": "Asha Verma",
    "Document Number": expect.stringMatching(/^CN/),
    "Document Date": "31-Oct-2026",
    "Document Value": "199.00",
    "Reverse Charge": "N",
    "Invoice Type": "Regular B2B",
    Rate: "18",
    SAC: "998399",
    "Original Invoice Number": rows[0]!["Document Number"],
    "Original Invoice Date": "31-Oct-2026",
  });
});

test("a name that a spreadsheet would run as a formula stays a text", async () => {
  const fullName = '=HYPERLINK("https://example.com","x")';
  await db.update(profiles).set({ fullName }).where(eq(profiles.id, ravi.id));
  await issue(await invoicedOrder(db, ravi), october.start);
  const text = await createInvoiceFile(db, gita, october);
  const [row]: Record<string, string>[] = parse(text, { bom: true, columns: true });
  expect(row!["Receiver Name"]).toBe(`'${fullName}`);
});

test("each download is in the audit log", async () => {
  await issue(await invoicedOrder(db, asha), october.start);
  await db.delete(auditEvents);
  await createInvoiceFile(db, gita, october);
  const events = await db.select().from(auditEvents);
  expect(events).toMatchObject([
    {
      event: "invoice.export",
      actorId: gita.id,
      subjectType: "month",
      subjectId: "2026-10",
      after: { invoices: 1, creditNotes: 0 },
    },
  ]);
});
