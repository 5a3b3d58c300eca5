import { expect, test } from "vitest";
import { monthStart, shortDateTime, yearOf } from "./clock.ts";

test.each([
  ["2026-03-15T12:00:00Z", 0, "2026-02-28T18:30:00.000Z"],
  ["2026-03-15T12:00:00Z", -1, "2026-01-31T18:30:00.000Z"],
  ["2026-03-15T12:00:00Z", 1, "2026-03-31T18:30:00.000Z"],
  // Already February in Kolkata, still January in UTC.
  ["2026-01-31T18:30:00Z", 0, "2026-01-31T18:30:00.000Z"],
  ["2026-01-31T18:29:59.999Z", 0, "2025-12-31T18:30:00.000Z"],
  ["2026-01-10T00:00:00Z", -1, "2025-11-30T18:30:00.000Z"],
  ["2025-12-31T23:00:00Z", 1, "2026-01-31T18:30:00.000Z"],
])("at %s the month with offset %i begins at %s", (moment, offset, start) => {
  expect(monthStart(new Date(moment), offset).toISOString()).toBe(start);
});

test("a date with its time is told in the product's zone", () => {
  expect(shortDateTime(new Date("2025-01-05T09:34:00Z"))).toMatch(/^Jan 5, 2025, 3:04\sPM$/);
});

test.each([
  ["2025-12-31T18:29:59.999Z", "2025"],
  ["2025-12-31T18:30:00Z", "2026"],
])("at %s the year in Kolkata is %s", (moment, year) => {
  expect(yearOf(new Date(moment))).toBe(year);
});
