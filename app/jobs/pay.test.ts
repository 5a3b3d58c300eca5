import { expect, test } from "vitest";
import { payPeriods } from "./details.ts";
import { detailLimits } from "./detail-limits.ts";
import {
  findPayCurrency,
  formatExperience,
  formatPay,
  formatPayAmount,
  type Pay,
  parseExperience,
  parsePayAmount,
  payCurrencies,
} from "./pay.ts";

const unstated: Pay = {
  payMin: null,
  payMax: null,
  payVariable: null,
  payPeriod: null,
  payCurrency: "INR",
};

const perYear = { payPeriod: "year" } as const;
const perMonth = { payPeriod: "month" } as const;

test.each<[Partial<Pay>, string | null]>([
  [{}, null],
  [{ payPeriod: "month" }, null],
  [{ ...perYear, payMin: 1_200_000, payMax: 1_800_000 }, "₹12–18 LPA"],
  [{ ...perYear, payMin: 1_200_000, payMax: 1_200_000 }, "₹12 LPA"],
  [{ ...perYear, payMin: 450_000, payMax: 625_000 }, "₹4.5–6.25 LPA"],
  [{ ...perYear, payMin: 1_005_000 }, "From ₹10.05 LPA"],
  [{ ...perYear, payMin: 8_000_000, payMax: 100_000_000 }, "₹80–1,000 LPA"],
  [{ ...perYear, payMin: 100_000, payMax: 120_000 }, "₹1–1.2 LPA"],
  [{ ...perYear, payMin: 99_000, payMax: 120_000 }, "₹99,000–1,20,000 a year"],
  [{ ...perYear, payMin: 1_234_567 }, "From ₹12,34,567 a year"],
  [{ ...perYear, payMax: 1_800_000 }, "Up to ₹18 LPA"],
  [{ ...perMonth, payMin: 25_000, payMax: 25_000 }, "₹25,000 a month"],
  [{ ...perMonth, payMin: 90_000, payMax: 150_000 }, "₹90,000–1,50,000 a month"],
  [{ payPeriod: "week", payMin: 9_000 }, "From ₹9,000 a week"],
  [{ payPeriod: "day", payMin: 2_500, payMax: 2_500 }, "₹2,500 a day"],
  [{ payPeriod: "hour", payMin: 800 }, "From ₹800 an hour"],
  [{ payPeriod: "project", payMin: 150_000, payMax: 150_000 }, "₹1,50,000 for the project"],
  [{ ...perYear, payMax: 60_000, payCurrency: "EUR" }, "Up to €60,000 a year"],
  [{ ...perYear, payMin: 1_200_000, payCurrency: "JPY" }, "From ¥1,200,000 a year"],
  [
    { ...perMonth, payMin: 15_000, payMax: 18_000, payCurrency: "AED" },
    "AED 15,000–18,000 a month",
  ],
  [{ ...perMonth, payMin: 900, payMax: 900, payCurrency: "CHF" }, "CHF 900 a month"],
  [{ ...perMonth, payMin: 0, payMax: 0 }, "Unpaid"],
  [{ ...perMonth, payMin: 0 }, "Unpaid"],
  [{ ...perMonth, payMax: 0, payCurrency: "EUR" }, "Unpaid"],
  [{ ...perMonth, payMin: 0, payMax: 10_000 }, "Up to ₹10,000 a month"],
  [
    { ...perYear, payMin: 1_200_000, payMax: 1_800_000, payVariable: 200_000 },
    "₹12–18 LPA + ₹2 lakh variable",
  ],
  [
    { ...perMonth, payMin: 25_000, payMax: 25_000, payVariable: 5_000 },
    "₹25,000 a month + ₹5,000 variable",
  ],
  [
    { ...perYear, payMin: 50_000, payVariable: 9_000, payCurrency: "USD" },
    "From $50,000 a year + $9,000 variable",
  ],
  [{ ...perYear, payVariable: 200_000 }, "₹2 lakh variable a year"],
  [
    { ...perMonth, payMin: 0, payMax: 0, payVariable: 5_000 },
    "₹5,000 variable a month, no fixed pay",
  ],
  [{ ...perYear, payMin: 300_000, payMax: 300_000, payVariable: 0 }, "₹3 LPA"],
])("%j is shown as %s", (pay, text) => {
  expect(formatPay({ ...unstated, ...pay })).toBe(text);
});

test("every period has its own text", () => {
  const texts = payPeriods.map((payPeriod) => formatPay({ ...unstated, payPeriod, payMin: 7 }));
  expect(new Set(texts).size).toBe(payPeriods.length);
});

test.each([
  ["1200000", 1_200_000],
  ["1,200,000", 1_200_000],
  ["12,00,000", 1_200_000],
  ["₹12,00,000", 1_200_000],
  ["₹ 12,00,000/-", 1_200_000],
  ["Rs. 12,00,000", 1_200_000],
  ["Rs 1,20,000", 120_000],
  ["INR 25000", 25_000],
  ["12 lakh", 1_200_000],
  ["12 Lakhs", 1_200_000],
  ["12L", 1_200_000],
  ["12 LPA", 1_200_000],
  ["1.15 lac", 115_000],
  ["4.35 lakh", 435_000],
  ["1.2 crore", 12_000_000],
  ["2Cr", 20_000_000],
  ["25k", 25_000],
  ["12.5K", 12_500],
  ["25 thousand", 25_000],
  ["१२,००,०००", 1_200_000],
  ["₹१२ लाख", 1_200_000],
  ["२५ हज़ार", 25_000],
  ["१ करोड़", 10_000_000],
  ["€60,000", 60_000],
  ["$ 900", 900],
  ["900.00", 900],
  ["0", 0],
  // Text from Word and WhatsApp has no-break and zero-width spaces.
  ["\u200b12\u00a0lakh\ufeff", 1_200_000],
  ["₹\u202f12,00,\u2060000", 1_200_000],
])("the amount %j is %i", (typed, amount) => {
  expect(parsePayAmount(typed)).toBe(amount);
});

test.each([
  "",
  "  ",
  "₹",
  "negotiable",
  "12-18 lakh",
  "12 to 18",
  "-5",
  "1e6",
  "12.5",
  "1.200",
  "1.200 k",
  "1.200.000",
  "12,5 lakh",
  "12,0000",
  "120,00",
  "1,2,3",
  "12 lakh a year",
  "12 m",
  "0x10",
  "12 00 000",
  "९९९९९९९९९९९९९९९९९९",
])("%j is not an amount", (typed) => {
  expect(parsePayAmount(typed)).toBeNull();
});

test("amounts in form fields parse to themselves", () => {
  for (const { code } of payCurrencies)
    for (let amount = 0; amount <= detailLimits.pay; amount = amount * 3 + 7)
      expect(parsePayAmount(formatPayAmount(amount, code))).toBe(amount);
  expect(formatPayAmount(1_200_000, "INR")).toBe("12,00,000");
  expect(formatPayAmount(1_200_000, "USD")).toBe("1,200,000");
  expect(formatPayAmount(null, "INR")).toBe("");
});

test.each([
  ["€60,000", "EUR"],
  ["Rs. 12", "INR"],
  ["₹12", "INR"],
  ["inr 12", "INR"],
  ["$9", "USD"],
  ["US$9", "USD"],
  ["S$9", "SGD"],
  ["AED 9", "AED"],
  ["¥9", "JPY"],
  ["9", null],
  ["CHF 9", null],
])("%j names the currency %s", (typed, currency) => {
  expect(findPayCurrency(typed)).toBe(currency);
});

test.each([
  [null, null, null],
  [0, 0, "No experience needed"],
  [0, null, "No experience needed"],
  [null, 0, "No experience needed"],
  [2, 4, "2–4 years"],
  [0, 2, "Up to 2 years"],
  [null, 2, "Up to 2 years"],
  [null, 1, "Up to 1 year"],
  [8, null, "8+ years"],
  [1, null, "1+ years"],
  [3, 3, "3 years"],
  [1, 1, "1 year"],
])("experience from %s to %s is shown as %s", (experienceMin, experienceMax, text) => {
  expect(formatExperience({ experienceMin, experienceMax })).toBe(text);
});

test.each([
  ["2", 2],
  [" 2 years ", 2],
  ["1 year", 1],
  ["4 yrs.", 4],
  ["१२", 12],
  ["\u200b3\u00a0yrs", 3],
  ["0", 0],
  ["", null],
  ["2.5", null],
  ["2-4", null],
  ["-1", null],
  ["two", null],
  ["1000", null],
])("the experience %j is %s", (typed, years) => {
  expect(parseExperience(typed)).toBe(years);
});
