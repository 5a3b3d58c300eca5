/** The rules of a customer's rating; safe for the browser. */
import { day } from "../../platform/clock.ts";
import { formatIndianNumber } from "../../platform/numbers.ts";
import { countNoun } from "../../platform/count-noun.ts";

/** The levels from 1 to 5. */
export const ratingNames = ["Not useful", "Little use", "Some use", "Useful", "Very useful"];

export const ratingLimits = { words: 300 };

export const ratingChangeableFor = 7 * day;

export const ratingMessages = {
  ratingMissing: "Please choose a rating from 1 to 5",
  wordsTooLong: `Please keep this within ${ratingLimits.words} characters`,
  tooLate: "You can no longer change this rating. Ratings can be changed for a week.",
} as const;

/** A rating as it is shown. */
export type RatingView = {
  rating: number;
  words: string | null;
  /** Formatted as in "Jan 5, 2025". */
  ratedOn: string;
};

/** A rating for its customer. */
export type OwnRating = RatingView & {
  /** The last day on which it can be changed, as in "Jan 5, 2025"; null afterwards. */
  changeableUntil: string | null;
};

/** Formats a share: 11 of 12 → "92% (11 of 12)"; null for 0 of 0. */
export function formatShare(count: number, total: number): string | null {
  if (total === 0) return null;
  return `${Math.round((count / total) * 100)}% (${formatIndianNumber(count)} of ${formatIndianNumber(total)})`;
}

/** Formats hours: 31.26 → "31.3 hours". */
export function formatHours(hours: number): string {
  const rounded = Math.round(hours * 10) / 10;
  return countNoun(rounded, "hour");
}
