/** Finds pay in the text about compensation. */
import { periodsPerYear, type PayPeriod } from "../details.ts";
import { detailLimits } from "../detail-limits.ts";
import { findPayCurrency, type Pay, parsePayAmount } from "../pay.ts";
import type { JobType } from "../rules.ts";
import { createWordCheck, type Limit, readBeside } from "./limits.ts";
import type { Found } from "./proposals.ts";

/**
 * Finds the fixed pay, such as "₹12–18 LPA", "Rs. 25k/month" or "upto 15 LPA". Two different amounts, an amount
 * without a period, and pay that includes a variable part give nothing.
 *
 * @param isAbroad an amount without a currency is then not taken for rupees
 */
export function findPay(
  text: string,
  { jobType, isAbroad }: { jobType: JobType; isAbroad: boolean },
): Found<Pay> | null {
  if (includesVariable.test(text) || (/\bvariable\b/i.test(text) && !addsVariable.test(text)))
    return null;
  const amounts = listAmounts(text);
  if (unpaid.test(text)) return jobType === "Internship" ? findUnpaid(text, amounts) : null;
  const ranges = joinRanges(text, amounts).filter((range) => !isExtra(text, range));
  const read = ranges.map((range) => buildPay(text, range, { jobType, isAbroad }));
  if (ranges.some((range, index) => isMoney(range) && !read[index])) return null;
  const [first, ...others] = read.filter((pay) => pay !== null);
  if (!first || others.some((other) => !isSameYearly(first.value, other.value))) return null;
  return { ...first, value: { ...first.value, payVariable: findVariable(text, first.value) } };
}

type Amount = {
  start: number;
  end: number;
  /** Digits, such as "8,00,000". */
  number: string;
  /** The unit after the digits, such as "lpa" or "k"; "" without one. */
  unit: string;
  currency: string | null;
  isOpen: boolean;
};

const signs = String.raw`₹|rs\b\.?|inr\b|us\$|s\$|a\$|c\$|\$|usd\b|€|eur\b|£|gbp\b|aed\b|sgd\b|aud\b|cad\b`;
const units = String.raw`(?:thousand|lpa|lakhs?|lacs?|crores?|cr|k|l)(?![\p{L}\d])`;
const codes = String.raw`(?:inr|rupees|rs|usd|eur|gbp|aed|sgd|aud|cad)\b`;
const amount = new RegExp(
  String.raw`(?:(?<sign>(?<!\p{L})(?:${signs})\s*)|(?<![\p{L}\d.,]))(?<number>\d[\d,]*(?:\.\d+)?)(?:\s*\/-)?(?<plus>\+(?=\s*${units}))?\s*(?<unit>${units})?(?:\s*(?<code>${codes}))?(?<open>\+(?=\s*(?:$|[),;]|per\b|p\.?a|p\.?m|\/)))?`,
  "giu",
);

export function hasMoney(text: string): boolean {
  return joinRanges(text, listAmounts(text)).some(isMoney);
}

/** Lists the numbers of a text that may be amounts. Percentages are left out. */
function listAmounts(text: string): Amount[] {
  return [...text.matchAll(amount)].flatMap((match) => {
    const { sign, number = "", plus, unit = "", code, open } = match.groups!;
    const end = match.index + match[0].trimEnd().length;
    if (/^\s*%/.test(text.slice(end))) return [];
    return [
      {
        start: match.index,
        end,
        number: number.replace(/,+$/, ""),
        unit: unit.toLowerCase(),
        currency: findPayCurrency((sign ?? code ?? "").trim()),
        isOpen: Boolean(plus ?? open),
      },
    ];
  });
}

type Range = { start: number; end: number; low: Amount; high: Amount };

/** Joins two amounts with a dash or a word between them, such as "8 to 10 LPA". */
function joinRanges(text: string, amounts: Amount[]): Range[] {
  const ranges: Range[] = [];
  for (let index = 0; index < amounts.length; index++) {
    const [low, next] = [amounts[index]!, amounts[index + 1]];
    const isRange = next !== undefined && isJoined(text, low, next);
    const high = isRange ? next : low;
    ranges.push({ start: low.start, end: high.end, low, high });
    if (isRange) index++;
  }
  return ranges;
}

function isJoined(text: string, low: Amount, high: Amount): boolean {
  const between = text.slice(low.end, high.start);
  if (/^\s*(?:[-‐‑‒–—−~]|to)\s*$/i.test(between)) return true;
  return /^\s*and\s*$/i.test(between) && /\bbetween\s*$/i.test(text.slice(0, low.start));
}

function isMoney({ low, high }: Range): boolean {
  return [low, high].some(({ unit, currency }) => unit !== "" || currency !== null);
}

const extraWords =
  /\b(?:bonus|bonuses|variable|incentives?|allowances?|equity|esops?|stocks?|cover|insurance|budget|reimburse\w*|commissions?|hike|benefits?|ppo|rewards?|prizes?|earn|sales?|referrals?|targets?|fees?|deposit|courses?|laptop|gratuity|relocation|joining|signing|retention|training|performance|previous|current|last|previously)\b/i;

const limitOfBudget = /\bmax(?:imum)?\.? budget\b|\bbudget is (?:max|up ?to)\b/gi;

/** Checks whether an amount belongs to a bonus, a benefit or a later offer. */
function isExtra(text: string, { start, end }: Range): boolean {
  const before = text.slice(0, start).split(/[+,;)|\n&]|\.\s|\b(?:plus|with)\b/i);
  const after = text.slice(end).split(/[+,;()|\n&]|\.\s|\b(?:plus|and|with)\b/i);
  return extraWords.test(before.at(-1)!.replace(limitOfBudget, "")) || extraWords.test(after[0]!);
}

const periods: [PayPeriod, RegExp][] = [
  [
    "year",
    /^(?:(?:\/|per|an?|every)\s*)?(?:annum|year|yr)\b|^p\.?\s?a\b\.?|^(?:annually|yearly)\b/i,
  ],
  ["month", /^(?:(?:\/|per|an?|every)\s*)?(?:month|mo|mth)\b|^p\.?\s?m\b\.?|^monthly\b/i],
  ["week", /^(?:\/|per|an?|every)\s*week\b|^weekly\b/i],
  ["day", /^(?:\/|per|an?|every)\s*day\b|^daily\b/i],
  ["hour", /^(?:\/|per|an?|every)\s*(?:hour|hr)\b|^hourly\b/i],
  ["project", /^(?:\/|per|an?|every|for the)\s*project\b/i],
];
const fillers =
  /^(?:\s*(?:\+|fixed|stipend|ctc|gross|in[- ]hand|salary|only|approx\.?|approximately|\())*\s*/i;

type Period = { period: PayPeriod; end: number };

function findPeriod(text: string, range: Range, jobType: JobType): Period | null {
  const after = text.slice(range.end);
  const skipped = fillers.exec(after)![0].length;
  const rest = after.slice(skipped);
  for (const [period, pattern] of periods) {
    const [match] = pattern.exec(rest) ?? [];
    if (match !== undefined) return { period, end: range.end + skipped + match.length };
  }
  const here = (period: PayPeriod) => ({ period, end: range.end });
  if ([range.low, range.high].some(({ unit }) => unit === "lpa")) return here("year");
  // Another unit of work, such as "per word".
  if (/^(?:\/|per\b|an?\s)/i.test(rest)) return null;
  const before = text.slice(0, range.start);
  if (/\b(?:monthly|per month)\b[^\d,;]*$/i.test(before)) return here("month");
  if (/\b(?:annual|yearly|ctc)\b[^\d,;]*$/i.test(before) || /^\s*ctc\b/i.test(after))
    return here("year");
  if (jobType === "Internship" && /\bstipend\b/i.test(text)) return here("month");
  return null;
}

const besideWords = {
  before: createWordCheck(
    "salary salaries ctc pay package packages compensation comp stipend remuneration wage wages base basic fixed gross " +
      "net annual monthly yearly weekly hourly daily in hand inhand take home offered offer range budget total of is be " +
      "will can we our this a an for role position job between and per annum pa pm inr rs rupees scale " +
      "freelance internship intern",
  ),
  after: createWordCheck(
    "fixed ctc gross in hand inhand only stipend salary base pay package lpa per annum month year pa pm p a negotiable inr",
  ),
  /** Conditions after these words don't change the amount. */
  ends: /\b(?:based|depending|depends|as per|according|for|and|plus|with|depend)\b|&/i,
};

function buildPay(
  text: string,
  range: Range,
  { jobType, isAbroad }: { jobType: JobType; isAbroad: boolean },
): Found<Pay> | null {
  const period = findPeriod(text, range, jobType);
  const amounts = period && parseAmounts(range);
  const currency = findRangeCurrency(range, isAbroad);
  if (!amounts || !currency || !isPlausible(amounts, period.period, currency)) return null;
  const limit = findLimit(text, range, period.end);
  if (limit === "unclear") return null;
  const [low, high] = amounts;
  return {
    value: {
      payMin: limit?.kind === "max" ? null : low,
      payMax: limit?.kind === "min" ? null : high,
      payVariable: null,
      payPeriod: period.period,
      payCurrency: currency,
    },
    start: limit?.start ?? range.start,
    end: limit?.end ?? period.end,
  };
}

/** Finds words that make an amount a limit: "no more than" before it, "onwards" after it, or a plus. */
function findLimit(
  text: string,
  { start, low, high }: Range,
  end: number,
): Pick<Limit, "kind" | "start" | "end"> | null | "unclear" {
  const beside = readBeside(text, { start, end }, besideWords);
  if (!beside.isClear) return "unclear";
  const { limit } = beside;
  const isRange = low !== high;
  if (isRange && limit?.words === "from") return null;
  // A range with a limit, such as "up to 8-10 LPA", has two readings.
  if (limit && (isRange || high.isOpen)) return "unclear";
  return (
    limit ??
    (high.isOpen && !isRange ? { kind: "min", start, end } : high.isOpen ? "unclear" : null)
  );
}

/** In "25-35k", the unit belongs to both numbers. In "500-1k", it can't. */
function parseAmounts({ low, high }: Range): [number, number] | null {
  const top = parsePayAmount(high.number + (high.unit || low.unit));
  if (top === null || !Number.isInteger(top)) return null;
  for (const unit of new Set([low.unit || high.unit, low.unit])) {
    const bottom = parsePayAmount(low.number + unit);
    if (bottom !== null && Number.isInteger(bottom) && bottom <= top) return [bottom, top];
  }
  return null;
}

function findRangeCurrency({ low, high }: Range, isAbroad: boolean): string | null {
  const stated = new Set([low, high].flatMap(({ currency }) => currency ?? []));
  if (stated.size > 1) return null;
  const [currency] = stated;
  if (currency) return currency;
  const isIndian = [low, high].some(({ unit }) => /^(?:lpa|la|l$|cr)/.test(unit));
  return isIndian || !isAbroad ? "INR" : null;
}

/** Below these, a word such as "lakh" is missing. */
const minRupees: Record<PayPeriod, number> = {
  year: 20_000,
  month: 500,
  week: 200,
  day: 100,
  hour: 20,
  project: 500,
};

function isPlausible([low, high]: [number, number], period: PayPeriod, currency: string): boolean {
  const min = currency === "INR" ? minRupees[period] : period === "year" ? 1_000 : 1;
  return low >= min && high <= detailLimits.pay;
}

function isSameYearly(one: Pay, other: Pay): boolean {
  const yearly = ({ payMax, payMin, payPeriod, payCurrency }: Pay) =>
    payPeriod && payPeriod !== "project"
      ? `${payCurrency} ${(payMax ?? payMin ?? 0) * periodsPerYear[payPeriod]}`
      : null;
  return yearly(one) !== null && yearly(one) === yearly(other);
}

const includesVariable =
  /\b(?:incl\w*|inclusive of|of which)\b[^.;]*\b(?:variable|bonus|incentives?|esops?)\b/i;

/** A variable part on top of the fixed pay. In other texts, it can be a part of the amount. */
const addsVariable =
  /^[^(]*(?:\+|\bplus)\s*(?:(?:₹|rs\.?|inr)?\s*[\d.,]+\s*(?:%|k|l|lpa|lakhs?|lacs?)?\s*(?:(?:as|annual|yearly)\s+)?)?variable\b/i;

/** Finds "+ 2 lakh variable" beside a yearly pay. A percentage has no amount. */
function findVariable(text: string, { payPeriod, payCurrency }: Pay): number | null {
  if (payPeriod !== "year") return null;
  const amounts = listAmounts(text).filter(
    ({ start, end, unit, currency }) =>
      (unit !== "" || currency !== null) &&
      (currency ?? "INR") === payCurrency &&
      /(?:\+|\bplus)\s*$/i.test(text.slice(0, start)) &&
      /^\s*(?:(?:as|annual|yearly|per annum)\s+)?variable\b/i.test(text.slice(end)),
  );
  const variable = amounts.length === 1 ? parsePayAmount(amounts[0]!.number + amounts[0]!.unit) : 0;
  return variable && Number.isInteger(variable) && variable <= detailLimits.pay ? variable : null;
}

const unpaid =
  /\b(?:unpaid(?!\s+(?:leave|trial|test|overtime))|(?:no|without(?:\s+a)?)\s+(?:stipend|pay))\b/i;

function findUnpaid(text: string, amounts: Amount[]): Found<Pay> | null {
  if (amounts.length > 0 || /\b(?:not|or|may|possibly|then|paid)\b/i.test(text)) return null;
  const match = unpaid.exec(text)!;
  return {
    value: { payMin: 0, payMax: 0, payVariable: null, payPeriod: "month", payCurrency: "INR" },
    start: match.index,
    end: match.index + match[0].length,
  };
}
