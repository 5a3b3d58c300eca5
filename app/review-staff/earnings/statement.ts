/** A reviewer's statement of a month, as a PDF and as a file for spreadsheets. */
import { formatDecimalRupees, formatRupees } from "../../payments/money.ts";
import type { PaymentDocument } from "../../payments/payment-document.ts";
import { formatMonthOfYear, formatShortDate, getDayStart } from "../../platform/clock.ts";
import type { Product } from "../../platform/config.server.ts";
import type { Month } from "../../platform/months.ts";
import { getServiceLabel } from "../../reviews/rules.ts";
import type { Earnings, FeeLine } from "./earnings.server.ts";
import type { EarnedMonth } from "./fees.ts";

type Reviewer = { fullName: string | null; email: string };

/** Formats whether a month was paid. */
export function formatPayout({ duePaise, payout }: EarnedMonth): string {
  if (payout)
    return `Paid ${formatRupees(payout.paise)} on ${formatShortDate(getDayStart(payout.paidOn))}, reference ${payout.reference}`;
  return duePaise > 0 ? "Not paid yet" : "Nothing to pay";
}

/** The sentence about tax, since nothing of it is computed here. */
export function formatTaxNote({ name, merchant }: Pick<Product, "name" | "merchant">): string {
  return `These are full sums: ${name} withholds no tax. ${merchant} decides what tax to deduct when paying you.`;
}

/** Formats a line as "Resume Review", or with why its fee was taken back. */
export function formatLineLabel({ serviceType, reason }: FeeLine): string {
  const service = getServiceLabel(serviceType);
  return reason === null ? service : `${service}, taken back: ${reason}`;
}

/** Formats the statement of a month for a PDF. */
export function toStatementDocument(
  product: Product,
  reviewer: Reviewer,
  { key, start }: Month,
  { month, lines }: Earnings,
): PaymentDocument {
  return {
    kind: "statement",
    title: "Statement of fees",
    number: key,
    productName: product.name,
    facts: [
      { name: "Month", value: formatMonthOfYear(start) },
      { name: "Reviewer", value: [reviewer.fullName, reviewer.email].filter(Boolean).join("\n") },
      { name: "Paid by", value: `${product.merchant}\n${product.address}` },
      { name: "State", value: formatPayout(month) },
    ],
    amounts: [
      ...lines.map((line) => ({
        label: `${formatShortDate(line.at)}: ${formatLineLabel(line)}`,
        amount: formatRupees(line.paise),
      })),
      ...(month.carriedPaise === 0
        ? []
        : [{ label: carriedLabel, amount: formatRupees(month.carriedPaise) }]),
      { label: "Due", amount: formatRupees(month.duePaise), isTotal: true as const },
    ],
    end: formatTaxNote(product),
  };
}

const carriedLabel = "Carried over from earlier months";

/** Lists the rows of the statement for a spreadsheet. Both amounts are positive. */
export function listStatementRows({ month, lines }: Earnings): (string | null)[][] {
  const toCells = (paise: number) => [
    paise > 0 ? formatDecimalRupees(paise) : null,
    paise < 0 ? formatDecimalRupees(-paise) : null,
  ];
  return [
    ["Date", "Review", "Review ID", "Fee", "Deduction", "Reason"],
    ...lines.map(({ at, serviceType, reviewId, paise, reason }) => [
      formatShortDate(at),
      getServiceLabel(serviceType),
      reviewId,
      ...toCells(paise),
      reason,
    ]),
    ...(month.carriedPaise === 0
      ? []
      : [[null, carriedLabel, null, ...toCells(month.carriedPaise), null]]),
    [null, "Due", null, formatDecimalRupees(month.duePaise), null, null],
  ];
}
