import * as fc from "fast-check";
import { expect, test } from "vitest";
import { day, hour } from "../platform/clock.ts";
import { truncateSummary, splitIntoParagraphs, formatPostedAge, summaryLength } from "./rules.ts";

const moment = new Date("2026-03-01T12:00:00Z");
const before = (milliseconds: number) => new Date(moment.getTime() - milliseconds);

test.each([
  [0, "Today"],
  [24 * hour - 1, "Today"],
  [day, "Yesterday"],
  [2 * day - 1, "Yesterday"],
  [2 * day, "2 days ago"],
  [6 * day, "6 days ago"],
  [7 * day, "1 week ago"],
  [13 * day, "1 week ago"],
  [14 * day, "2 weeks ago"],
  [29 * day, "4 weeks ago"],
  [30 * day, "1 month ago"],
  [59 * day, "1 month ago"],
  [60 * day, "2 months ago"],
  [400 * day, "13 months ago"],
])("a job posted %i ms ago is from %s", (elapsed, label) => {
  expect(formatPostedAge(before(elapsed), moment)).toBe(label);
});

test("a job with a future date is from today", () => {
  expect(formatPostedAge(new Date(moment.getTime() + hour), moment)).toBe("Today");
});

test("a summary longer than 400 characters is cut with an ellipsis", () => {
  expect(truncateSummary("a".repeat(400))).toBe("a".repeat(400));
  expect(truncateSummary("a".repeat(401))).toBe(`${"a".repeat(400)}…`);
});

test("a cut splits neither a combined emoji nor a Devanagari syllable", () => {
  const family = "👨‍👩‍👧";
  expect(truncateSummary(`${"a".repeat(398)}${family} and more`)).toBe(`${"a".repeat(398)}…`);
  expect(truncateSummary(`${"a".repeat(399)}नि and more`)).toBe(`${"a".repeat(399)}…`);
});

test("emoji count as one character each", () => {
  expect(truncateSummary("🎨".repeat(400))).toBe("🎨".repeat(400));
});

test("a cut summary is within the limit and starts like its text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", minLength: 300, maxLength: 900 }), (text) => {
      const cut = truncateSummary(text);
      if (cut === text) {
        expect(Array.from(text).length).toBeLessThanOrEqual(summaryLength);
        return;
      }
      expect(cut.endsWith("…")).toBe(true);
      expect(text.startsWith(cut.slice(0, -1))).toBe(true);
      expect(Array.from(cut).length).toBeLessThanOrEqual(summaryLength + 1);
      expect(cut.isWellFormed()).toBe(true);
    }),
  );
});

test("text is split at line breaks of every kind, without blank lines", () => {
  expect(splitIntoParagraphs("One\nTwo\r\n\r\n  Three \rFour\n \n")).toEqual([
    "One",
    "Two",
    "Three",
    "Four",
  ]);
  expect(splitIntoParagraphs(" \n ")).toEqual([]);
});
