import * as fc from "fast-check";
import { expect, test } from "vitest";
import { day, hour } from "../platform/clock.ts";
import {
  cutSummary,
  type JobContacts,
  paragraphs,
  postedAge,
  summaryLength,
  wayOf,
  webLink,
} from "./rules.ts";

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
  expect(postedAge(before(elapsed), moment)).toBe(label);
});

test("a job that a faster clock posted is from today", () => {
  expect(postedAge(new Date(moment.getTime() + hour), moment)).toBe("Today");
});

test("a summary of 400 characters stays whole, one more is cut with an ellipsis", () => {
  expect(cutSummary("a".repeat(400))).toBe("a".repeat(400));
  expect(cutSummary("a".repeat(401))).toBe(`${"a".repeat(400)}…`);
});

test("a cut splits neither an emoji of many parts nor a Devanagari syllable", () => {
  const family = "👨‍👩‍👧";
  expect(cutSummary(`${"a".repeat(398)}${family} and more`)).toBe(`${"a".repeat(398)}…`);
  expect(cutSummary(`${"a".repeat(399)}नि and more`)).toBe(`${"a".repeat(399)}…`);
});

test("emoji count as one character each", () => {
  expect(cutSummary("🎨".repeat(400))).toBe("🎨".repeat(400));
});

test("a cut summary is never longer than allowed and begins like its text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", minLength: 300, maxLength: 900 }), (text) => {
      const cut = cutSummary(text);
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

test("paragraphs part at line breaks of every kind, and blank lines are none", () => {
  expect(paragraphs("One\nTwo\r\n\r\n  Three \rFour\n \n")).toEqual([
    "One",
    "Two",
    "Three",
    "Four",
  ]);
  expect(paragraphs(" \n ")).toEqual([]);
});

test("only http and https are web links", () => {
  expect(webLink(" https://example.com/apply ")).toBe("https://example.com/apply");
  expect(webLink("HTTP://example.com")).toBe("HTTP://example.com");
  expect(webLink("\u200bhttps://example.com/\u00adx\ufeff")).toBe("https://example.com/x");
  for (const other of [
    "javascript:alert(1)",
    "data:text/html,x",
    " JaVaScRiPt:alert(1)",
    "java\nscript:alert(1)",
    "//example.com",
    "example.com",
    "http://",
    "httpx://example.com",
    "",
    null,
  ]) {
    expect(webLink(other)).toBeNull();
  }
});

const none: JobContacts = {
  pocName: null,
  pocContact: null,
  portalApplicationLink: null,
  directApplicationLink: null,
};

test.each([
  ["https://example.com/hr@home", { kind: "page", url: "https://example.com/hr@home" }],
  ["asha@example.in", { kind: "mail", url: "mailto:asha@example.in" }],
  ["hire+design@jobs.example.in", { kind: "mail", url: "mailto:hire%2Bdesign@jobs.example.in" }],
  ["Write to asha@example.in", { kind: "mail", url: "mailto:asha@example.in" }],
])("the contact %s is opened", (pocContact, way) => {
  expect(wayOf("poc", { ...none, pocContact })).toEqual(way);
});

test.each(["+91 00000 00000", "@studio", "a@b", "a@example.in?bcc=x@example.com, b"])(
  "the contact %s is told",
  (pocContact) => {
    const toast = { kind: "info", title: "Contact POC Directly", description: pocContact };
    expect(wayOf("poc", { ...none, pocContact })).toEqual({ kind: "toast", toast });
  },
);

test("a script is never opened, however it is written", () => {
  fc.assert(
    fc.property(fc.string(), (rest) => {
      for (const scheme of ["javascript:", "data:", "vbscript:", "file://"]) {
        const contacts = {
          ...none,
          pocContact: scheme + rest,
          portalApplicationLink: scheme + rest,
        };
        expect(wayOf("portal", contacts).kind).toBe("toast");
        expect(wayOf("poc", contacts).kind).not.toBe("page");
      }
    }),
  );
});

test("without a contact of its own, a job's direct application link is the contact", () => {
  const directApplicationLink = "https://example.com/direct";
  expect(wayOf("poc", { ...none, directApplicationLink })).toEqual({
    kind: "page",
    url: directApplicationLink,
  });
  expect(wayOf("poc", { ...none, pocContact: "  ", directApplicationLink }).kind).toBe("page");
  expect(wayOf("poc", { ...none, pocContact: "\u200b", directApplicationLink }).kind).toBe("page");
  expect(wayOf("poc", { ...none, pocContact: "a@example.in", directApplicationLink }).kind).toBe(
    "mail",
  );
});

test("a missing link, a missing contact and a missing session are told in their own words", () => {
  const toastOf = (...args: Parameters<typeof wayOf>) => {
    const way = wayOf(...args);
    return way.kind === "toast" ? [way.toast.title, way.toast.description] : [];
  };
  expect(toastOf("portal", none)).toEqual([
    "Application Link Missing",
    "This job doesn't have a portal application link.",
  ]);
  expect(toastOf("poc", none)).toEqual([
    "Contact Information Missing",
    "This job doesn't have direct contact information.",
  ]);
  expect(toastOf("portal", null)).toEqual([
    "Authentication Required",
    "Please sign in or create an account to apply for jobs.",
  ]);
  expect(toastOf("poc", null)).toEqual([
    "Authentication Required",
    "Please sign in or create an account to access contact details.",
  ]);
});
