import { expect, test } from "vitest";
import { formatRupees, formatWholeRupees } from "./money.ts";

const formatWith = (digits: number, paise: number) =>
  new Intl.NumberFormat("en-IN", {
    style: "currency",
    currency: "INR",
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(paise / 100);

const whole = [0, 100, 19_900, 100_000, 9_999_900, 10_000_000, 123_456_700, -19_900];
const broken = [1, 99, 19_950, 29_949, 12_345_605, -19_901];

test.each(whole)("%i paise are formatted as whole rupees in Indian format", (paise) => {
  expect(formatRupees(paise)).toBe(formatWith(0, paise));
});

test.each(broken)("%i paise are formatted with two decimals", (paise) => {
  expect(formatRupees(paise)).toBe(formatWith(2, paise));
});

test.each([...whole, ...broken, 29_950])("%i paise in a sum are whole rupees", (paise) => {
  const options = { style: "currency", currency: "INR", maximumFractionDigits: 0 } as const;
  const rounded = new Intl.NumberFormat("en-IN", options).format(paise / 100);
  expect(formatWholeRupees(paise)).toBe(rounded);
});
