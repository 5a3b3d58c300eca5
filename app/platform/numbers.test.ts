import { expect, test } from "vitest";
import { formatIndianNumber } from "./numbers.ts";

test.each([
  0, 7, 999, 1000, 12_345, 99_999, 100_000, 1_234_567, 12_345_678, 987_654_321_012, -1, -1234,
  -100_000,
])("%i is formatted with Indian separators", (count) => {
  expect(formatIndianNumber(count)).toBe(new Intl.NumberFormat("en-IN").format(count));
});
