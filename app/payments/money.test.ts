import { expect, test } from "vitest";
import { formatRupees } from "./money.ts";

test.each([0, 100, 19_900, 29_949, 29_950, 100_000, 9_999_900, 10_000_000, 123_456_700, -19_900])(
  "%i paise are formatted as whole rupees in Indian format",
  (paise) => {
    const options = { style: "currency", currency: "INR", maximumFractionDigits: 0 } as const;
    expect(formatRupees(paise)).toBe(new Intl.NumberFormat("en-IN", options).format(paise / 100));
  },
);
