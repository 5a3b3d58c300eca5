/** The texts of invoices and credit notes. They come from the stored rows alone, never from today's settings. */
import { formatRupees } from "../../payments/money.ts";
import type { creditNotes } from "../../payments/refunds/tables.server.ts";
import type { invoices } from "../../payments/tables.server.ts";
import { formatShortDate } from "../../platform/clock.ts";
import { type IndianState, stateCodes } from "../../platform/india/states.ts";
import type { PaymentDocument } from "../../payments/payment-document.ts";

type Invoice = typeof invoices.$inferSelect;

/** Formats an invoice. */
export function toInvoiceDocument(invoice: Invoice): PaymentDocument {
  const { serial, productName, issuedAt, orderId } = invoice;
  return {
    kind: "invoice",
    title: "Tax invoice",
    number: serial,
    productName,
    facts: [
      { name: "Invoice number", value: serial },
      { name: "Invoice date", value: formatShortDate(issuedAt) },
      { name: "Transaction ID", value: orderId },
      ...listPartyFacts(invoice),
    ],
    amounts: listInvoiceAmounts(invoice, "Total paid"),
    end: formatEnd(invoice, "This invoice is paid in full."),
  };
}

/** Formats a credit note, which cancels all of its invoice. */
export function toCreditNoteDocument(
  invoice: Invoice,
  { serial, issuedAt }: Pick<typeof creditNotes.$inferSelect, "serial" | "issuedAt">,
): PaymentDocument {
  return {
    kind: "credit note",
    title: "Credit note",
    number: serial,
    productName: invoice.productName,
    facts: [
      { name: "Credit note number", value: serial },
      { name: "Credit note date", value: formatShortDate(issuedAt) },
      { name: "For invoice", value: `${invoice.serial} of ${formatShortDate(invoice.issuedAt)}` },
      { name: "Transaction ID", value: invoice.orderId },
      ...listPartyFacts(invoice),
    ],
    amounts: listInvoiceAmounts(invoice, "Total refunded"),
    end: formatEnd(invoice, "The payment was refunded, so this cancels all of the invoice."),
  };
}

function listPartyFacts(invoice: Invoice) {
  const { sellerName, sellerAddress, sellerGstin, sellerState, serviceCode } = invoice;
  const { buyerName, buyerState, buyerGstin } = invoice;
  return [
    { name: "Sold by", value: `${sellerName}\n${sellerAddress}` },
    { name: "Seller's GSTIN", value: `${sellerGstin} (${sellerState})` },
    { name: "Buyer", value: buyerName },
    ...(buyerGstin ? [{ name: "Buyer's GSTIN", value: buyerGstin }] : []),
    { name: "Place of supply", value: formatPlaceOfSupply(buyerState) },
    ...(serviceCode ? [{ name: "SAC", value: serviceCode }] : []),
  ];
}

/** "Karnataka (29)", with the State's code of GST. */
function formatPlaceOfSupply(state: string): string {
  return Object.hasOwn(stateCodes, state)
    ? `${state} (${stateCodes[state as IndianState]})`
    : state;
}

function listInvoiceAmounts(invoice: Invoice, total: string): PaymentDocument["amounts"] {
  const { description, taxablePaise, cgstPaise, sgstPaise, igstPaise, taxRate } = invoice;
  const taxes =
    invoice.buyerState === invoice.sellerState
      ? [
          { label: `CGST ${taxRate / 2}%`, amount: formatRupees(cgstPaise) },
          { label: `SGST ${taxRate / 2}%`, amount: formatRupees(sgstPaise) },
        ]
      : [{ label: `IGST ${taxRate}%`, amount: formatRupees(igstPaise) }];
  return [
    { label: `${description}, taxable value`, amount: formatRupees(taxablePaise) },
    ...taxes,
    { label: total, amount: formatRupees(invoice.amountPaise), isTotal: true },
  ];
}

function formatEnd({ productName, sellerName }: Invoice, state: string): string {
  return `${state} No tax is payable on reverse charge. ${productName} is run by ${sellerName}.`;
}
