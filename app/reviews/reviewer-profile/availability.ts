/** When reviewers take reviews; safe for the browser. */
import { day, formatShortDate, getDayStart, toIsoDay } from "../../platform/clock.ts";

export const availabilityLimits = { daysAhead: 180, reviewsADay: 50 };

export type Availability = {
  /** The last day on which they are away, as in "2026-12-02"; null while they are here. */
  awayUntil: string | null;
  /** The number of reviews that they take in a day; null without a limit. */
  reviewsADay: number | null;
};

/** Returns the first and last day that "Away until" accepts. */
export function getAwayRange(moment: Date): { first: string; last: string } {
  const last = new Date(moment.getTime() + availabilityLimits.daysAhead * day);
  return { first: toIsoDay(moment), last: toIsoDay(last) };
}

/** Formats availability for a choice of reviewers: "Away until Dec 2, 2026", "3 of 5 today"; "" without either. */
export function formatAvailability({
  awayUntil,
  reviewsADay,
  assignedToday,
}: Availability & { assignedToday: number }): string {
  return [
    awayUntil && `Away until ${formatShortDate(getDayStart(awayUntil))}`,
    reviewsADay !== null && `${assignedToday} of ${reviewsADay} today`,
  ]
    .filter(Boolean)
    .join(", ");
}
