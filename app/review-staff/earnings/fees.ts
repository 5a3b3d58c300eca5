/** The sums of reviewers' fees; pure functions, safe for the browser. */
import type { ReviewPrices } from "../../platform/config.server.ts";
import type { ServiceType } from "../../reviews/rules.ts";

/** Returns the reviewer's fee for a review in paise. */
export function getFee(fees: ReviewPrices, review: { serviceType: ServiceType }): number {
  return fees[review.serviceType];
}

/** The fees of a month, less those taken back in it, in paise. */
export type MonthSum = { month: string; paise: number; reviews: number };

export type Payout = { month: string; paise: number; paidOn: string; reference: string };

export type EarnedMonth = MonthSum & {
  /** What earlier months left to deduct (negative) or to pay, in paise. */
  carriedPaise: number;
  /** The fees with what was carried over, never below zero. */
  duePaise: number;
  payout: Payout | null;
};

/**
 * Builds a reviewer's months, oldest first. A month below zero is deducted from the next one, and so is what was paid
 * beyond a month's sum. An unpaid month stays due by itself.
 *
 * @returns `carriedPaise` is what the last month leaves for the next one
 */
export function buildMonths(
  sums: readonly MonthSum[],
  payouts: readonly Payout[],
): { months: EarnedMonth[]; carriedPaise: number } {
  const keys = [...new Set([...sums, ...payouts].map(({ month }) => month))].toSorted();
  let carriedPaise = 0;
  const months = keys.map((month) => {
    const sum = sums.find((one) => one.month === month) ?? { month, paise: 0, reviews: 0 };
    const payout = payouts.find((one) => one.month === month) ?? null;
    const total = sum.paise + carriedPaise;
    const built = { ...sum, carriedPaise, duePaise: Math.max(0, total), payout };
    carriedPaise = payout ? total - payout.paise : Math.min(0, total);
    return built;
  });
  return { months, carriedPaise };
}
