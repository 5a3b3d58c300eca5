/**
 * The time of day and the time zone of the product. Times are stored in UTC. Days and months are shown and counted
 * in Asia/Kolkata.
 */

export const timeZone = "Asia/Kolkata";

export const second = 1000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;

/** Returns the current time. */
export function now(): Date {
  return new Date();
}

/** Counts the full 24-hour days from `then` to `until`. Never negative. */
export function countDaysBetween(then: Date, until: Date): number {
  return Math.max(0, Math.floor((until.getTime() - then.getTime()) / day));
}

/** English names for every browser language, as on the rest of the page. */
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
const weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

// Without Intl.DateTimeFormat, whose first use takes a phone about 60 ms and whose spaces differ between browsers.

/** "Jan 5, 2025" */
export function formatShortDate(date: Date): string {
  const local = toZonedDate(date);
  return `${formatMonth(local).slice(0, 3)} ${local.getUTCDate()}, ${local.getUTCFullYear()}`;
}

/** "Jan 5" */
export function formatMonthDay(date: Date): string {
  const local = toZonedDate(date);
  return `${formatMonth(local).slice(0, 3)} ${local.getUTCDate()}`;
}

/** "January 2025" */
export function formatMonthOfYear(date: Date): string {
  const local = toZonedDate(date);
  return `${formatMonth(local)} ${local.getUTCFullYear()}`;
}

/** "January 5, 2025" */
export function formatLongDate(date: Date): string {
  const local = toZonedDate(date);
  return `${formatMonth(local)} ${local.getUTCDate()}, ${local.getUTCFullYear()}`;
}

/** "Sun, Jan 5" */
export function formatDayOfWeek(date: Date): string {
  const local = toZonedDate(date);
  const month = formatMonth(local).slice(0, 3);
  return `${weekdays[local.getUTCDay()]!}, ${month} ${local.getUTCDate()}`;
}

/** "3:04 PM" */
export function formatTime(date: Date): string {
  const local = toZonedDate(date);
  const hours = local.getUTCHours();
  const minutes = String(local.getUTCMinutes()).padStart(2, "0");
  return `${hours % 12 || 12}:${minutes} ${hours < 12 ? "AM" : "PM"}`;
}

/** "Jan 5, 2025, 3:04 PM" */
export function formatShortDateTime(date: Date): string {
  return `${formatShortDate(date)}, ${formatTime(date)}`;
}

function formatMonth(local: Date): string {
  return months[local.getUTCMonth()]!;
}

/** The time zone's offset from UTC, unchanged since 1945 and without daylight saving time. */
export const aheadOfUtc = 5 * hour + 30 * minute;

/** "2025" */
export function formatYear(date: Date): string {
  return String(toZonedDate(date).getUTCFullYear());
}

/** Returns the start of the calendar month of `date`. A negative `offset` counts months back. */
export function getMonthStart(date: Date, offset = 0): Date {
  const local = toZonedDate(date);
  return new Date(Date.UTC(local.getUTCFullYear(), local.getUTCMonth() + offset, 1) - aheadOfUtc);
}

/** Returns the start of a calendar day such as "2026-01-31". */
export function getDayStart(day: string): Date {
  return new Date(Date.parse(day) - aheadOfUtc);
}

/** Returns a date whose UTC fields are the local time in the zone. */
export function toZonedDate(date: Date): Date {
  return new Date(date.getTime() + aheadOfUtc);
}

/** Returns the calendar day in India, as in "2026-01-31". */
export function toIsoDay(date: Date): string {
  return toZonedDate(date).toISOString().slice(0, 10);
}
