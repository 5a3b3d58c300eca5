import { array, assert, constantFrom, integer, property, record } from "fast-check";
import { expect, test } from "vitest";
import { formatFinancialYear } from "../../platform/months.ts";
import { buildMonths, getFee, type Payout } from "./fees.ts";

const fees = {
  resume_review: 80_00,
  portfolio_review: 90_50,
  combined_review: 140_00,
  secondLook: null,
};
const pay = (month: string, paise: number): Payout => ({
  month,
  paise,
  paidOn: `${month}-28`,
  reference: "UTR 1",
});
const sum = (month: string, paise: number) => ({ month, paise, reviews: 1 });
const brief = (...asked: Parameters<typeof buildMonths>) =>
  buildMonths(...asked).map(({ month, carriedPaise, duePaise }) => [month, carriedPaise, duePaise]);

test("each kind of review has its own fee, and a second look may have another", () => {
  const serviceType = "portfolio_review";
  expect(getFee(fees, { serviceType, secondLookOf: null })).toBe(90_50);
  expect(getFee(fees, { serviceType, secondLookOf: "an earlier review" })).toBe(90_50);
  expect(getFee({ ...fees, secondLook: 50_00 }, { serviceType, secondLookOf: "one" })).toBe(50_00);
});

test("a financial year starts in April", () => {
  expect(["2026-03", "2026-04", "2027-03", "2099-12"].map(formatFinancialYear)).toEqual([
    "2025-26",
    "2026-27",
    "2026-27",
    "2099-00",
  ]);
});

test("a month below zero is deducted from the next ones", () => {
  const sums = [sum("2026-09", 80_00), sum("2026-10", -90_00), sum("2026-11", 30_00)];
  const later = [...sums, sum("2026-12", 100_00)];
  expect(brief(later, [pay("2026-09", 80_00)], "2026-12")).toEqual([
    ["2026-09", 0, 80_00],
    ["2026-10", 0, 0],
    ["2026-11", -90_00, 0],
    ["2026-12", -60_00, 40_00],
  ]);
});

test("an unpaid month stays due by itself, and a fee after its payout is due in the next month", () => {
  expect(brief([sum("2026-10", 80_00), sum("2026-11", 90_00)], [], "2026-11")).toEqual([
    ["2026-10", 0, 80_00],
    ["2026-11", 0, 90_00],
  ]);
  expect(brief([sum("2026-10", 170_00)], [pay("2026-10", 80_00)], "2026-11")).toEqual([
    ["2026-10", 0, 170_00],
    ["2026-11", 90_00, 90_00],
  ]);
});

test("whatever is paid when, the payouts and what is left add up to the fees", () => {
  const months = ["2026-08", "2026-09", "2026-10", "2026-11", "2026-12"];
  const line = record({
    month: constantFrom(...months.slice(0, 4)),
    paise: integer({ min: -300_01, max: 300_01 }),
    isPaid: constantFrom(true, false),
  });
  assert(
    property(array(line, { maxLength: 12 }), (lines) => {
      const sums = months.map((month) => ({
        month,
        paise: lines.reduce((total, one) => total + (one.month === month ? one.paise : 0), 0),
        reviews: 0,
      }));
      const payouts: Payout[] = [];
      for (const month of months.slice(0, 4)) {
        const due = buildMonths(sums, payouts, "2026-12").find((one) => one.month === month)!;
        const isPaid = lines.some((one) => one.month === month && one.isPaid);
        if (isPaid && due.duePaise > 0) payouts.push(pay(month, due.duePaise));
      }
      const built = buildMonths(sums, payouts, "2026-12");
      const paid = payouts.reduce((total, { paise }) => total + paise, 0);
      const unpaid = built
        .slice(0, 4)
        .reduce((total, { duePaise, payout }) => total + (payout ? 0 : duePaise), 0);
      const left = built.at(-1)!.carriedPaise;
      const total = sums.reduce((all, { paise }) => all + paise, 0);
      expect(paid + unpaid + left).toBe(total);
    }),
    { seed: 1 },
  );
});
