import { and, asc, eq, gte, lt } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import { formatDecimalRupees } from "../../payments/money.ts";
import { creditNotes } from "../../payments/refunds/tables.server.ts";
import { invoices } from "../../payments/tables.server.ts";
import { recordAuditEvents } from "../../platform/audit.server.ts";
import { formatShortDate } from "../../platform/clock.ts";
import { formatCsv } from "../../platform/csv.server.ts";
import type { Database } from "../../platform/database.server.ts";
import { type IndianState, stateCodes } from "../../platform/india/states.ts";
import type { Month } from "../../platform/months.ts";

/** The columns of GSTR-1, with the document's own parts of the tax beside them. */
const head = [
  "Section",
  "Note Type",
  "GSTIN/UIN of Recipient",
  "Receiver Name",
  "Document Number",
  "Document Date",
  "Document Value",
  "Place Of Supply",
  "Reverse Charge",
  "Invoice Type",
  "Rate",
  "Taxable Value",
  "Integrated Tax Amount",
  "Central Tax Amount",
  "State/UT Tax Amount",
  "Cess Amount",
  "SAC",
  "Original Invoice Number",
  "Original Invoice Date",
  "Transaction ID",
];

type Invoice = typeof invoices.$inferSelect;

/** The date and the number of a document. */
type Issued = Pick<Invoice, "serial" | "issuedAt">;

/**
 * Creates the file of a month's invoices and credit notes: CSV with the columns of GSTR-1, in the order of their numbers.
 * Amounts of credit notes are positive, as their note type says.
 */
export async function createInvoiceFile(
  db: Database,
  actor: Actor | null,
  { key, start, end }: Month,
): Promise<string> {
  authorize(actor, "invoice.export");
  return db.transaction(async (tx) => {
    const issued = await tx
      .select()
      .from(invoices)
      .where(and(gte(invoices.issuedAt, start), lt(invoices.issuedAt, end)))
      .orderBy(asc(invoices.financialYear), asc(invoices.number));
    const credited = await tx
      .select({ invoice: invoices, note: creditNotes })
      .from(creditNotes)
      .innerJoin(invoices, eq(invoices.orderId, creditNotes.orderId))
      .where(and(gte(creditNotes.issuedAt, start), lt(creditNotes.issuedAt, end)))
      .orderBy(asc(creditNotes.financialYear), asc(creditNotes.number));
    const subject = { type: "month", id: key };
    const after = { invoices: issued.length, creditNotes: credited.length };
    await recordAuditEvents(tx, [{ actor, event: "invoice.export", subject, after }]);
    return formatCsv([
      head,
      ...issued.map((invoice) => formatLine(invoice, invoice, null)),
      ...credited.map(({ invoice, note }) => formatLine(invoice, note, invoice)),
    ]);
  });
}

/** @param original the invoice that a credit note cancels; null for an invoice */
function formatLine(invoice: Invoice, { serial, issuedAt }: Issued, original: Issued | null) {
  const { buyerGstin, buyerName, buyerState, taxRate, taxablePaise, amountPaise } = invoice;
  return [
    getSection(invoice, original !== null),
    original && "C",
    buyerGstin,
    buyerName,
    serial,
    formatReturnDate(issuedAt),
    formatDecimalRupees(amountPaise),
    formatSupplyPlace(buyerState),
    "N",
    buyerGstin && "Regular B2B",
    String(taxRate),
    formatDecimalRupees(taxablePaise),
    formatDecimalRupees(invoice.igstPaise),
    formatDecimalRupees(invoice.cgstPaise),
    formatDecimalRupees(invoice.sgstPaise),
    "0.00",
    invoice.serviceCode,
    original && original.serial,
    original && formatReturnDate(original.issuedAt),
    invoice.orderId,
  ];
}

/** Above this, an invoice to another State without a GSTIN is listed by itself. */
const maxSmallPaise = 1_00_000_00;

/** B2B and CDNR are for buyers with a GSTIN. Small sales to others are declared as sums (B2CS), less credit notes. */
function getSection(
  { buyerGstin, buyerState, sellerState, amountPaise }: Invoice,
  isCreditNote: boolean,
): string {
  if (buyerGstin) return isCreditNote ? "CDNR" : "B2B";
  const isLarge = buyerState !== sellerState && amountPaise > maxSmallPaise;
  if (isLarge) return isCreditNote ? "CDNUR" : "B2CL";
  return "B2CS";
}

/** "01-Dec-2026", the day in India. */
function formatReturnDate(date: Date): string {
  const [, month, day, year] = /^(\w+) (\d+), (\d+)$/.exec(formatShortDate(date))!;
  return `${day!.padStart(2, "0")}-${month}-${year}`;
}

/** "29-Karnataka". Other countries have the code 96. */
function formatSupplyPlace(state: string): string {
  if (!Object.hasOwn(stateCodes, state)) return "96-Other Country";
  return `${stateCodes[state as IndianState]}-${state}`;
}
