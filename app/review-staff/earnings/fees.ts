/** The sums of reviewers' fees; pure functions, safe for the browser. */
import type { ReviewFees } from "../../platform/config.server.ts";
import { getMonthAway, type Month, parseMonth } from "../../platform/months.ts";
import type { ServiceType } from "../../reviews/rules.ts";

/** Returns the reviewer's fee for a review in paise. */
export function getFee(
  fees: ReviewFees,
  { serviceType, secondLookOf }: { serviceType: ServiceType; secondLookOf: string | null },
): number {
  return secondLookOf && fees.secondLook ? fees.secondLook : fees[serviceType];
}

/** The fees of a month, less those taken back in it, in paise. */
export type MonthSum = { month: string; paise: number; reviews: number };

/** The payment of a reviewer for a month. */
export type Payout = { month: string; paise: number; paidOn: string; reference: string };

export type EarnedMonth = MonthSum & {
  /** The sum that earlier months left to deduct (negative) or to pay, in paise. */
  carriedPaise: number;
  /** The fees with what was carried over, never below zero. */
  duePaise: number;
  payout: Payout | null;
};

/**
 * Builds a reviewer's months, oldest first. A month below zero is deducted from the next one, and the difference of a
 * paid month goes to it too. An unpaid month stays due by itself.
 *
 * @param monthKey a month that is built even if it has neither fees nor a payout
 */
export function buildMonths(
  sums: readonly MonthSum[],
  payouts: readonly Payout[],
  monthKey: string,
): EarnedMonth[] {
  const keys = [...sums, ...payouts].map(({ month }) => month);
  let carriedPaise = 0;
  return [...new Set([...keys, monthKey])].toSorted().map((month) => {
    const sum = sums.find((one) => one.month === month) ?? { paise: 0, reviews: 0 };
    const payout = payouts.find((one) => one.month === month) ?? null;
    const total = sum.paise + carriedPaise;
    const { paise, reviews } = sum;
    const duePaise = Math.max(0, total);
    const built = { month, paise, reviews, carriedPaise, duePaise, payout };
    carriedPaise = payout ? total - payout.paise : Math.min(0, total);
    return built;
  });
}

/** Checks whether a month is over, so that it can be paid. */
export function isOver({ end }: Month, moment: Date): boolean {
  return end <= moment;
}

/** Returns the month of an address; for none or an invalid one, the last that is over, since it is paid next. */
export function parsePayoutMonth(text: string | null): Month {
  const month = parseMonth(text);
  return month.key === text ? month : getMonthAway(parseMonth(null), -1);
}

/** The longest reference of a bank's transfer. */
export const maxReferenceLength = 60;
