import { eq, sql } from "drizzle-orm";
import { creditNotes, refunds } from "../../../app/payments/refunds/tables.server.ts";
import { invoices, invoiceSeries, orders } from "../../../app/payments/tables.server.ts";
import type { Database } from "../../../app/platform/database.server.ts";

/**
 * Compares invoices and credit notes with the orders and refunds behind them.
 *
 * @returns the problems as sentences: gaps, repetitions, missing or invented documents, and books that don't balance
 */
export async function wrongInvoices(db: Database): Promise<string[]> {
  const rows = await db
    .select({
      order: orders,
      invoice: invoices,
      creditNote: creditNotes,
      /** Null if the payment was not refunded. */
      refundId: sql<
        string | null
      >`(select id from ${refunds} where ${refunds.orderId} = ${orders.orderId}
        and ${refunds.state} = 'settled' and ${refunds.paymentId} = ${orders.providerPaymentId})`,
    })
    .from(orders)
    .leftJoin(invoices, eq(invoices.orderId, orders.orderId))
    .leftJoin(creditNotes, eq(creditNotes.orderId, orders.orderId));
  const wrong: string[] = [];
  let expected = 0;
  let booked = 0;
  for (const { order, invoice, creditNote, refundId } of rows) {
    const { orderId, status, taxablePaise, amountPaise } = order;
    const isTaxed = status === "success" && taxablePaise !== null;
    if (isTaxed !== Boolean(invoice))
      wrong.push(`Order ${orderId} (${status}) has ${invoice ? "an" : "no"} invoice.`);
    if (creditNote?.refundId !== ((isTaxed && refundId) || undefined))
      wrong.push(`Order ${orderId} has ${creditNote ? "a wrong" : "no"} credit note.`);
    if (isTaxed && !refundId) expected += amountPaise ?? 0;
    if (invoice && !creditNote)
      booked += invoice.taxablePaise + invoice.cgstPaise + invoice.sgstPaise + invoice.igstPaise;
  }
  if (booked !== expected) wrong.push(`The books have ${booked} paise, not ${expected}.`);
  const series = await db.select().from(invoiceSeries);
  const documents = [
    ...(await db.select().from(invoices)),
    ...(await db.select().from(creditNotes)),
  ];
  for (const one of series) {
    const own = documents
      .filter((each) => each.series === one.series && each.financialYear === one.financialYear)
      .toSorted((first, second) => first.number - second.number);
    const numbers = own.map(({ number }) => number);
    if (numbers.some((number, index) => number !== index + 1) || numbers.length !== one.lastNumber)
      wrong.push(
        `${one.series}/${one.financialYear} has ${numbers.join()}, up to ${one.lastNumber}.`,
      );
    if (own.some(({ issuedAt }, index) => issuedAt < (own[index - 1]?.issuedAt ?? issuedAt)))
      wrong.push(`The dates of ${one.series}/${one.financialYear} go back.`);
  }
  const numbered = new Set(series.map(({ series, financialYear }) => `${series}/${financialYear}`));
  for (const { series, financialYear, serial } of documents)
    if (!numbered.has(`${series}/${financialYear}`)) wrong.push(`${serial} has no series.`);
  return wrong;
}
