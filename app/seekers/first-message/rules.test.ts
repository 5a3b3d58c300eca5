import fc from "fast-check";
import { expect, test } from "vitest";
import { parseContact } from "../../jobs/contact/parse-contact.ts";
import { buildFirstMessage, buildMailLink, isPortfolioOrEmpty } from "./rules.ts";

const parts = {
  name: "Asha Verma",
  job: { title: "Product Designer", company: "Chaupal Health" },
  address: "https://naksha.example/jobs/1",
  motivation: "I built a clinic's queue & its signs.",
  work: "https://asha.example/?a=1&b=2",
};
const to = "mailto:ira@chaupal.example";

test("the message says who writes, for which job, why, with which work, and asks one question", () => {
  expect(buildFirstMessage(parts)).toEqual({
    subject: "Product Designer at Chaupal Health: Asha Verma",
    body: [
      "Hello,",
      "I'm Asha Verma. I'd like to apply for Product Designer at Chaupal Health: https://naksha.example/jobs/1",
      "I built a clinic's queue & its signs.",
      "My work: https://asha.example/?a=1&b=2",
      "Is the job still open?",
      "Asha Verma",
    ].join("\n\n"),
  });
});

test("what a person hasn't written is left out", () => {
  const { subject, body } = buildFirstMessage({
    ...parts,
    name: null,
    motivation: "",
    work: "",
  });
  expect(subject).toBe("Product Designer at Chaupal Health");
  expect(body).toBe(
    "Hello,\n\nI'd like to apply for Product Designer at Chaupal Health: https://naksha.example/jobs/1\n\nIs the job still open?",
  );
});

test("a link has the message, with lines that end as RFC 6068 asks", () => {
  const message = { subject: "A & B? 100% #1", body: "Hi,\n\nआशा\n" };
  expect(buildMailLink(to, message)).toEqual({
    url: `${to}?subject=A%20%26%20B%3F%20100%25%20%231&body=Hi%2C%0D%0A%0D%0A%E0%A4%86%E0%A4%B6%E0%A4%BE%0D%0A`,
    isComplete: true,
  });
});

test("a message that is too long for a link is left out, and so is a subject", () => {
  const url = (subject: string, body: string) => buildMailLink(to, { subject, body });
  const rest = 1_800 - `${to}?subject=A&body=`.length;
  expect(url("A", "a".repeat(rest)).url).toHaveLength(1_800);
  expect(url("A", "a".repeat(rest + 1))).toEqual({ url: `${to}?subject=A`, isComplete: false });
  // Each letter takes nine bytes.
  expect(url("आ".repeat(200), "")).toEqual({ url: to, isComplete: false });
});

test.each([
  "mailto:ira@a.example?cc=mallory@evil.example&subject=Hi&body=Pay",
  "MAILTO:ira@a.example?bcc=mallory@evil.example",
  "ira@a.example?subject=Hi",
  "ira@a.example?cc=mallory",
  "Ira <ira@a.example>?body=Pay",
  "ira@a.example%3Fcc=mallory",
  "ira@a.example&cc=mallory",
  "ira@a.example\r\nCc: mallory",
  "ira&body=x@a.example",
  "ira?cc=x@a.example",
  "ira#x@a.example",
  "ira%0D%0ACc:x@a.example",
])("a link for the contact %j has only addresses, our subject and our body", (contact) => {
  expectOnlyOurHeaders(contact);
});

test("nothing in a contact gets into the headers of a link", () => {
  const sign = fc.constantFrom(
    "?",
    "&",
    "=",
    "#",
    "%",
    "@",
    ",",
    ";",
    ":",
    "<",
    ">",
    '"',
    "\\",
    " ",
    "\r",
    "\n",
    ".",
    "ira@a.example",
    "mailto:",
    "cc",
    "%26",
    "आ",
  );
  fc.assert(
    fc.property(fc.array(sign, { maxLength: 12 }), (signs) => expectOnlyOurHeaders(signs.join(""))),
  );
});

function expectOnlyOurHeaders(contact: string): void {
  const { opens } = parseContact(contact);
  if (opens?.kind !== "mail") return;
  const { url } = buildMailLink(opens.url, { subject: "Job & name", body: "Hi" });
  const { pathname, searchParams, hash } = new URL(url);
  expect(Object.fromEntries(searchParams)).toEqual({ subject: "Job & name", body: "Hi" });
  expect([...searchParams.keys()]).toEqual(["subject", "body"]);
  expect(hash).toBe("");
  for (const address of pathname.split(","))
    expect(decodeURIComponent(address)).toMatch(/^[^@\s]+@[^@\s]+$/);
}

test("half of a character doesn't break a link", () => {
  expect(buildMailLink(to, { subject: "\ud800", body: "" }).url).toContain("subject=%EF%BF%BD");
});

test.each([
  ["", true],
  ["https://asha.example/work", true],
  ["http://asha.example", false],
  ["javascript:alert(1)", false],
  ["asha.example", false],
  ["https://", false],
])("the portfolio %j is accepted: %s", (text, isAccepted) => {
  expect(isPortfolioOrEmpty(text)).toBe(isAccepted);
});
