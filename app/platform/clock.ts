/**
 * The one place that knows the time of day and the time zone of the product.
 * Times are stored in UTC; days and months are shown and counted in Asia/Kolkata.
 */

export const timeZone = "Asia/Kolkata";

export const second = 1000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;

/** The present moment. */
export function now(): Date {
  return new Date();
}

/** Whole 24-hour days from `then` to `until`; never negative. */
export function countDaysBetween(then: Date, until: Date): number {
  return Math.max(0, Math.floor((until.getTime() - then.getTime()) / day));
}

/** In English whatever the browser speaks, as the pages are. */
const months = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];
const weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

// Written by hand: a browser's first `Intl.DateTimeFormat` holds a phone up for some 60 ms, and browsers differ in
// their spaces.

/** "Jan 5, 2025" */
export function formatShortDate(date: Date): string {
  const local = toZonedDate(date);
  return `${formatMonth(local).slice(0, 3)} ${local.getUTCDate()}, ${local.getUTCFullYear()}`;
}

/** "January 5, 2025" */
export function formatLongDate(date: Date): string {
  const local = toZonedDate(date);
  return `${formatMonth(local)} ${local.getUTCDate()}, ${local.getUTCFullYear()}`;
}

/** "Jan 5, 2025, 3:04 PM" */
export function formatShortDateTime(date: Date): string {
  const local = toZonedDate(date);
  const hours = local.getUTCHours();
  const minutes = String(local.getUTCMinutes()).padStart(2, "0");
  return `${formatShortDate(date)}, ${hours % 12 || 12}:${minutes} ${hours < 12 ? "AM" : "PM"}`;
}

/** "Sunday" */
export function formatWeekday(date: Date): string {
  return weekdays[toZonedDate(date).getUTCDay()]!;
}

function formatMonth(local: Date): string {
  return months[local.getUTCMonth()]!;
}

/** The product's zone has been this far ahead of UTC since 1945, and knows no summer time. */
export const aheadOfUtc = 5 * hour + 30 * minute;

/** "2025" */
export function formatYear(date: Date): string {
  return String(toZonedDate(date).getUTCFullYear());
}

/** The first moment of the calendar month of `date`; of an earlier one by a negative `offset`. */
export function getMonthStart(date: Date, offset = 0): Date {
  const local = toZonedDate(date);
  return new Date(Date.UTC(local.getUTCFullYear(), local.getUTCMonth() + offset, 1) - aheadOfUtc);
}

/** The first moment of a calendar day, as in "2026-01-31". */
export function getDayStart(day: string): Date {
  return new Date(Date.parse(day) - aheadOfUtc);
}

/** A date whose fields in UTC are those that clocks of the zone show. */
export function toZonedDate(date: Date): Date {
  return new Date(date.getTime() + aheadOfUtc);
}
