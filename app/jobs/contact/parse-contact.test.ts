import * as fc from "fast-check";
import { expect, test } from "vitest";
import { describeContact, parseContact } from "./parse-contact.ts";

test.each([
  ["anu@a.example", "mailto:anu@a.example"],
  ["hr@a.example, anu@a.example", "mailto:hr@a.example,anu@a.example"],
  ["hr@a.example; anu@a.example", "mailto:hr@a.example,anu@a.example"],
  ["hr@a.example/anu@a.example", "mailto:hr@a.example,anu@a.example"],
  ["hr@a.example\nanu@a.example", "mailto:hr@a.example,anu@a.example"],
  ["hr@a.example or HR@a.example", "mailto:HR@a.example"],
  ["Anu <anu@a.example>", "mailto:anu@a.example"],
  ['"Rao, Anu" <anu@a.example>, HR <hr@a.example>', "mailto:anu@a.example,hr@a.example"],
  ["mailto:anu@a.example", "mailto:anu@a.example"],
  ["MAILTO:anu@a.example?subject=x&bcc=b@evil.example", "mailto:anu@a.example"],
  ["<mailto:anu@a.example,hr@a.example>", "mailto:anu@a.example,hr@a.example"],
  ["mailto:anu%2Bjobs@a.example", "mailto:anu%2Bjobs@a.example"],
  ["anu@a.example / 98765 43210", "mailto:anu@a.example"],
  ["anu@a.example.", "mailto:anu@a.example"],
  ["anu@a.example!", "mailto:anu@a.example"],
  ["(anu@a.example)", "mailto:anu@a.example"],
  ["'anu@a.example'", "mailto:anu@a.example"],
  ["*anu@a.example*", "mailto:anu@a.example"],
  ["Email:anu@a.example", "mailto:anu@a.example"],
  ["Write to anu@a.example — thanks", "mailto:anu@a.example"],
  ["anu@a.example?subject=Hello", "mailto:anu@a.example"],
  ["anu@ a.example", "mailto:anu@a.example"],
  ["\ufeffanu\u200b@a\u00ad.example\u2060", "mailto:anu@a.example"],
  ["\u00a0anu@a.example\u00a0", "mailto:anu@a.example"],
  ["\u202eanu@a.example\u202c", "mailto:anu@a.example"],
  ["anu＠a.example", "mailto:anu@a.example"],
  ["ａｎｕ＠ａ．example", "mailto:anu@a.example"],
  ["o'brien@a.example", "mailto:o'brien@a.example"],
  ["r&d=x?y@a.example", "mailto:r%26d%3Dx%3Fy@a.example"],
  ["anu%@a.example", "mailto:anu%25@a.example"],
  ["anu@उदाहरण.भारत", `mailto:anu@${encodeURIComponent("उदाहरण.भारत")}`],
  ["anu@bücher.example", `mailto:anu@${encodeURIComponent("bücher.example")}`],
])("%j opens an email", (value, url) => {
  expect(parseContact(value).opens).toEqual({ kind: "mail", url });
});

test.each([
  ["https://a.example/apply", "https://a.example/apply"],
  ["https://medium.com/@anu", "https://medium.com/@anu"],
  ["https://a.example/hr@home", "https://a.example/hr@home"],
  ["HTTP://a.example", "HTTP://a.example"],
  ["https://a.example/apply.", "https://a.example/apply"],
  ["https://a.example/apply, or anu@a.example", "https://a.example/apply"],
  ["<https://a.example/apply>", "https://a.example/apply"],
  ["(https://a.example/apply)", "https://a.example/apply"],
  ["https://a.example/wiki_(x)", "https://a.example/wiki_(x)"],
  ["https://a.example/x,https://b.example", "https://a.example/x"],
  ["https://a.example/?to=https://b.example", "https://a.example/?to=https://b.example"],
  ["https://a.example/\u200bapply\u200b", "https://a.example/apply"],
  ["https://a.example/apply%E2%80%8B", "https://a.example/apply"],
  ["\ufeffhttps://a.example/apply\u00a0", "https://a.example/apply"],
])("%j opens a page", (value, url) => {
  expect(parseContact(value).opens).toEqual({ kind: "page", url });
});

test.each([
  "98765 43210",
  "@studio",
  "a@b",
  "a@b@c",
  "a@b.example@c.example",
  "anu [at] a.example",
  "Anu @ Studio A.",
  "a@1.2",
  "a@-b.example",
  "a@b..example",
  "mailto:",
  "anu%0Abcc@a.example",
  "mailto:anu%0Abcc%3Ab@evil.example",
  "mailto:%E0%A4%A@a.example",
  "javascript:alert(1)",
  "data:text/html,<b>",
  "//a.example",
  "https://",
  "http:a.example",
  "Portfolio on https://medium.com/@anu",
  "",
  "\u200b",
])("%j opens nothing", (value) => {
  expect(parseContact(value).opens).toBeNull();
});

test.each([
  ["+91 98765 43210", "+919876543210"],
  ["+91-98765-43210", "+919876543210"],
  ["+91 (0)98765 43210", "+919876543210"],
  ["0091 98765 43210", "+919876543210"],
  ["919876543210", "+919876543210"],
  ["098765-43210", "+919876543210"],
  ["9876543210", "+919876543210"],
  ["98765\u00a043210", "+919876543210"],
  ["987-654-3210", "+919876543210"],
  ["022 2345 6789", "+912223456789"],
  ["(080) 2345 6789", "+918023456789"],
  ["+91 22 2345 6789", "+912223456789"],
  ["1800 123 4567", "18001234567"],
  ["+44 20 7946 0958", "+442079460958"],
  ["+971 50 123 4567", "+971501234567"],
])("%s can be called", (number, dialled) => {
  for (const value of [number, `WhatsApp:${number}, 11 to 5`, `Call Anu (${number}).`]) {
    const phones = parseContact(value).parts.filter(({ kind }) => kind === "phone");
    expect(phones).toMatchObject([{ url: `tel:${dialled}` }]);
  }
});

test.each([
  "Ref 2026-11-25",
  "₹12,00,000–18,00,000",
  "400 001 Mumbai",
  "1234 5678 9012 3456",
  "REF9876543210",
  "98765432101234",
  "Room 12, floor 3",
])("%s has no number to call", (value) => {
  expect(parseContact(value).parts).toEqual([{ kind: "text", text: value }]);
});

test("a number in digits of another script can be called", () => {
  expect(parseContact("फ़ोन: ९८७६५ ४३२१०").parts.at(-1)).toEqual({
    kind: "phone",
    text: "९८७६५ ४३२१०",
    url: "tel:+919876543210",
  });
});

test("two numbers are two links", () => {
  const { parts } = parseContact("98765 43210 / 022 2345 6789");
  expect(parts.map(({ kind }) => kind)).toEqual(["phone", "text", "phone"]);
});

test("the text around links stays in place", () => {
  expect(parseContact("Anu <mailto:anu@a.example?subject=x>, 98765 43210").parts).toEqual([
    { kind: "text", text: "Anu <" },
    { kind: "mail", text: "anu@a.example", url: "mailto:anu@a.example" },
    { kind: "text", text: ">, " },
    { kind: "phone", text: "98765 43210", url: "tel:+919876543210" },
  ]);
});

test("joiners that scripts need are not removed", () => {
  expect(parseContact("क्\u200dष 👨\u200d👩").parts).toEqual([
    { kind: "text", text: "क्\u200dष 👨\u200d👩" },
  ]);
});

test("a hint describes what a typed contact does", () => {
  expect(describeContact("hr@a.example, anu@a.example")).toBe(
    "Opens an email to hr@a.example and anu@a.example.",
  );
  expect(describeContact("https://a.example")).toBe("Opens https://a.example in a new tab.");
  expect(describeContact("Call 98765 43210")).toBe(
    "Shows this text, with a link to call 98765 43210.",
  );
  expect(describeContact("@studio")).toMatch(/^Shows this text\. It has no email address/);
  expect(describeContact(" ")).toBe("");
});

test("for any input, a link is a page, an email without headers or a phone number", () => {
  const pieces = fc.constantFrom(
    ..."@.:/?&=%,;<>()'\"\\\n\u200b".split(""),
    ..."anu a.example https:// mailto: javascript: %0A bcc 98765 43210 +91 \ud800 é क".split(" "),
  );
  const text = fc.array(fc.oneof(pieces, fc.string({ unit: "binary" })), { maxLength: 30 });
  fc.assert(
    fc.property(text, (typed) => {
      const { parts, opens } = parseContact(typed.join(""));
      for (const { kind, url } of [...parts, ...(opens ? [opens] : [])].filter((p) => "url" in p)) {
        if (kind === "page") expect(new URL(url).protocol).toMatch(/^https?:$/);
        else if (kind === "mail") expect(url).toMatch(/^mailto:(?:[\w.!~*'%-]+@[\w.%-]+,?)+$/);
        else expect(url).toMatch(/^tel:\+?\d+$/);
      }
      expect(parts.every((part) => part.text !== "")).toBe(true);
    }),
    { numRuns: 1000 },
  );
});

test("a hostile contact is parsed in one pass, however long", () => {
  for (const unit of [
    "a@",
    "a.",
    "@a.",
    "1 ",
    "9",
    "(",
    "https://",
    "mailto:",
    "%E2%80%8B.",
    "a,",
  ]) {
    // A second pass for each unit would take longer than a test may.
    const text = unit.repeat(500_000);
    const { parts } = parseContact(text);
    expect(parts.length, unit).toBeGreaterThan(0);
  }
});
