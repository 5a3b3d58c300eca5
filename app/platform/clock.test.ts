import { expect, test } from "vitest";
import {
  hour,
  formatLongDate,
  minute,
  getMonthStart,
  formatShortDate,
  formatShortDateTime,
  formatDayOfWeek,
  formatYear,
} from "./clock.ts";

test.each([
  ["2026-03-15T12:00:00Z", 0, "2026-02-28T18:30:00.000Z"],
  ["2026-03-15T12:00:00Z", -1, "2026-01-31T18:30:00.000Z"],
  ["2026-03-15T12:00:00Z", 1, "2026-03-31T18:30:00.000Z"],
  // Already February in Kolkata, still January in UTC.
  ["2026-01-31T18:30:00Z", 0, "2026-01-31T18:30:00.000Z"],
  ["2026-01-31T18:29:59.999Z", 0, "2025-12-31T18:30:00.000Z"],
  ["2026-01-10T00:00:00Z", -1, "2025-11-30T18:30:00.000Z"],
  ["2025-12-31T23:00:00Z", 1, "2026-01-31T18:30:00.000Z"],
])("at %s the month with offset %i starts at %s", (moment, offset, start) => {
  expect(getMonthStart(new Date(moment), offset).toISOString()).toBe(start);
});

/** Every 37 hours and 11 minutes of four years, with a leap year and the ends of days and years. */
const moments = [
  ...Array.from(
    { length: 950 },
    (_, index) => Date.UTC(2024, 0, 1) + index * (37 * hour + 11 * minute),
  ),
  ...[
    "2025-12-31T18:29:59.999Z",
    "2025-12-31T18:30:00Z",
    "2025-01-05T06:29:59Z",
    "2025-01-05T06:30:00Z",
  ].map(Date.parse),
].map((moment) => new Date(moment));

test.each<[string, (date: Date) => string, Intl.DateTimeFormatOptions]>([
  ["shortDate", formatShortDate, { dateStyle: "medium" }],
  ["longDate", formatLongDate, { dateStyle: "long" }],
  ["shortDateTime", formatShortDateTime, { dateStyle: "medium", timeStyle: "short" }],
  ["day of the week", formatDayOfWeek, { weekday: "short", month: "short", day: "numeric" }],
])("%s formats every date in American English and in Indian time", (_, write, options) => {
  const intl = new Intl.DateTimeFormat("en-US", { timeZone: "Asia/Kolkata", ...options });
  for (const moment of moments)
    expect(write(moment), moment.toISOString()).toBe(intl.format(moment).replaceAll("\u202f", " "));
});

test("a date is formatted with its time", () => {
  expect(formatShortDateTime(new Date("2025-01-05T09:34:00Z"))).toBe("Jan 5, 2025, 3:04 PM");
});

test.each([
  ["2025-12-31T18:29:59.999Z", "2025"],
  ["2025-12-31T18:30:00Z", "2026"],
])("at %s the year in Kolkata is %s", (moment, year) => {
  expect(formatYear(new Date(moment))).toBe(year);
});
