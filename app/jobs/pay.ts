/** Formats and parses the pay and the experience of a listing. Safe for the browser. */
import { formatIndianNumber } from "../platform/numbers.ts";
import { toAsciiDigits, toSearchForm } from "../platform/text/text.ts";
import type { JobDetails, PayPeriod } from "./details.ts";

/** The currencies that forms offer, by ISO 4217 code. A listing can have any other code too. */
export const payCurrencies = [
  { code: "INR", symbol: "₹", label: "Indian rupee (₹)" },
  { code: "USD", symbol: "$", label: "US dollar ($)" },
  { code: "EUR", symbol: "€", label: "Euro (€)" },
  { code: "GBP", symbol: "£", label: "British pound (£)" },
  { code: "AED", symbol: "AED ", label: "UAE dirham (AED)" },
  { code: "SGD", symbol: "S$", label: "Singapore dollar (S$)" },
  { code: "AUD", symbol: "A$", label: "Australian dollar (A$)" },
  { code: "CAD", symbol: "C$", label: "Canadian dollar (C$)" },
  { code: "JPY", symbol: "¥", label: "Japanese yen (¥)" },
] as const;

export type Pay = Pick<
  JobDetails,
  "payMin" | "payMax" | "payVariable" | "payPeriod" | "payCurrency"
>;

const periodLabels: Record<PayPeriod, string> = {
  year: "a year",
  month: "a month",
  week: "a week",
  day: "a day",
  hour: "an hour",
  project: "for the project",
};

const lakh = 100_000;
const crore = 10_000_000;

/**
 * Formats pay: "₹12–18 LPA", "₹25,000 a month", "From ₹800 an hour", "₹12–18 LPA + ₹2 lakh variable", "Unpaid".
 * Yearly rupees from 1 lakh up are in lakhs per year (LPA), unless that would need more than two decimals.
 *
 * @returns null if no pay is stated
 */
export function formatPay(pay: Pay): string | null {
  const { payMin, payMax, payVariable, payPeriod, payCurrency } = pay;
  if (!payPeriod) return null;
  const fixed = formatFixedPay(payMin, payMax, payPeriod, payCurrency);
  if (!payVariable) return fixed;
  const variable = `${formatVariablePay(payVariable, payCurrency)} variable`;
  if (fixed === null) return `${variable} ${periodLabels[payPeriod]}`;
  if (fixed === unpaid) return `${variable} ${periodLabels[payPeriod]}, no fixed pay`;
  return `${fixed} + ${variable}`;
}

const unpaid = "Unpaid";

function formatFixedPay(
  min: number | null,
  max: number | null,
  period: PayPeriod,
  currency: string,
): string | null {
  const amounts = [...new Set([min, max])].filter((amount) => amount !== null);
  if (amounts.length === 0) return null;
  if (amounts.every((amount) => amount === 0)) return unpaid;
  const isInLakhs = currency === "INR" && period === "year" && amounts.every(isShortInLakhs);
  const format = isInLakhs ? formatLakhs : (amount: number) => groupDigits(amount, currency);
  const unit = isInLakhs ? "LPA" : periodLabels[period];
  const build = (text: string) => `${getCurrencySymbol(currency)}${text} ${unit}`;
  if (min === null || min === 0) return `Up to ${build(format(max!))}`;
  if (max === null) return `From ${build(format(min))}`;
  return build(amounts.map(format).join("–"));
}

function formatVariablePay(amount: number, currency: string): string {
  const isInLakhs = currency === "INR" && isShortInLakhs(amount);
  const text = isInLakhs ? `${formatLakhs(amount)} lakh` : groupDigits(amount, currency);
  return getCurrencySymbol(currency) + text;
}

/** Checks that an amount is at least 1 lakh and needs at most two decimals in lakhs. */
function isShortInLakhs(amount: number): boolean {
  return amount >= lakh && amount % (lakh / 100) === 0;
}

function formatLakhs(amount: number): string {
  const whole = formatIndianNumber(Math.floor(amount / lakh));
  const hundredths = (amount % lakh) / (lakh / 100);
  return hundredths === 0
    ? whole
    : `${whole}.${String(hundredths).padStart(2, "0").replace(/0$/, "")}`;
}

function getCurrencySymbol(currency: string): string {
  return payCurrencies.find(({ code }) => code === currency)?.symbol ?? `${currency} `;
}

function groupDigits(amount: number, currency: string): string {
  if (currency === "INR") return formatIndianNumber(amount);
  return String(amount).replace(/\d(?=(\d{3})+$)/g, "$&,");
}

/** Formats an amount for a form field: "12,00,000" for rupees, "60,000" for other currencies, "" for null. */
export function formatPayAmount(amount: number | null, currency: string): string {
  return amount === null ? "" : groupDigits(amount, currency);
}

const currencySign =
  /^(?:₹|rs\.?|inr|rupees|us\$|s\$|a\$|c\$|\$|usd|€|eur|£|gbp|aed|sgd|aud|cad|¥|jpy)\s*/;
const plainNumber = /^(?:\d{1,3}(?:,\d{3})+|\d{1,2}(?:,\d{2})*,\d{3}|\d+)(?:\.\d+)?/;
const amountUnits: [RegExp, number][] = [
  [/^(?:k|thousand|हज़?ार)$/, 1_000],
  [/^(?:l|lpa|lakhs?|lacs?|लाख)$/, lakh],
  [/^(?:cr|crores?|करोड़?)$/, crore],
];

/**
 * Parses one amount as people type it: "12,00,000", "1,200,000", "₹12 lakh", "12L", "1.2 crore", "25k", "१२ लाख".
 *
 * @returns whole units of the currency; null for anything else, such as a range, a fraction, or "1.200", which is
 *   1,200 in some countries
 */
export function parsePayAmount(typed: string): number | null {
  const text = normalizePay(typed)
    .replace(currencySign, "")
    .replace(/\s*\/-$/, "");
  const [number] = plainNumber.exec(text) ?? [];
  if (number === undefined) return null;
  const name = text.slice(number.length).trim();
  const factor = name ? amountUnits.find(([unit]) => unit.test(name))?.[1] : 1;
  if (factor === undefined) return null;
  const [whole = "", decimals = ""] = number.replaceAll(",", "").split(".");
  if (decimals.length === 3 && factor < lakh) return null;
  // Whole numbers avoid rounding errors: 1.15 lakh is 115 × 100,000 / 100.
  const amount = (Number(whole + decimals) * factor) / 10 ** decimals.length;
  return Number.isSafeInteger(amount) ? amount : null;
}

/** Returns the currency that an amount names with a sign or code, such as "€60,000"; null if it names none. */
export function findPayCurrency(typed: string): string | null {
  const [sign] = currencySign.exec(normalizePay(typed)) ?? [];
  const name = sign?.trim();
  if (!name) return null;
  if (/^(?:rs\.?|rupees)$/.test(name)) return "INR";
  if (name === "us$") return "USD";
  const currency = payCurrencies.find(
    ({ code, symbol }) => name === code.toLowerCase() || name === symbol.trim().toLowerCase(),
  );
  return currency?.code ?? null;
}

function normalizePay(typed: string): string {
  return toAsciiDigits(toSearchForm(typed)).trim();
}

/**
 * Formats experience: "2–4 years", "8+ years", "Up to 2 years", "No experience needed".
 *
 * @returns null if no experience is stated
 */
export function formatExperience({
  experienceMin: min,
  experienceMax: max,
}: Pick<JobDetails, "experienceMin" | "experienceMax">): string | null {
  if (min === null && max === null) return null;
  if (!min && !max) return "No experience needed";
  if (!min) return `Up to ${formatYearCount(max!)}`;
  if (max === null) return `${min}+ years`;
  return min === max ? formatYearCount(min) : `${min}–${formatYearCount(max)}`;
}

function formatYearCount(years: number): string {
  return `${years} ${years === 1 ? "year" : "years"}`;
}

/** Parses whole years: "2", "2 years", "2 yrs", "२". Returns null for anything else. */
export function parseExperience(typed: string): number | null {
  return parseCountOf(typed, /^(?:years?|yrs?\.?)?$/);
}

/**
 * Parses a whole number of up to three digits, alone or with its unit: "3", "3 rounds", "३".
 *
 * @returns null for anything else
 */
export function parseCountOf(typed: string, unit: RegExp): number | null {
  const text = toAsciiDigits(toSearchForm(typed)).trim();
  const [, digits, rest = ""] = /^(\d{1,3})\s*(\D*)$/.exec(text) ?? [];
  return digits !== undefined && unit.test(rest) ? Number(digits) : null;
}
