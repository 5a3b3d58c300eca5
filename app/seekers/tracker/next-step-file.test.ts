import fc from "fast-check";
import { expect, test } from "vitest";
import { formatNextStepFile } from "./next-step-file.server.ts";

const job = {
  id: "6f0c3c1e-58a4-4c5e-9a43-1f2f3c1f4b11",
  title: "Type Designer",
  company: "Letter Works",
  state: "interviewing",
  nextStepOn: "2026-12-31",
  notes: "Call at 11; ask about the team, twice.\nBring आशा's book.",
  version: 3,
  updatedAt: new Date("2026-11-27T10:00:00Z"),
} as const;
const site = { origin: "https://naksha.example", product: { name: "Naksha" } };
const formatFile = (fields: Partial<Parameters<typeof formatNextStepFile>[0]> = {}) =>
  formatNextStepFile({ ...job, ...fields }, site)!;

/** Reads the values of a calendar file, with folded lines joined. */
function readLines(file: string): string[] {
  expect(file.endsWith("\r\n")).toBe(true);
  return file.slice(0, -2).replaceAll("\r\n ", "").split("\r\n");
}

const unescape = (value: string) =>
  value.replace(/\\([\\;,nN])/g, (_, sign: string) => (/n/i.test(sign) ? "\n" : sign));

test("a next step is one day in the person's words", () => {
  expect(readLines(formatFile())).toEqual([
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Naksha//Your jobs//EN",
    "BEGIN:VEVENT",
    `UID:${job.id}`,
    "SEQUENCE:3",
    "DTSTAMP:20261127T100000Z",
    "DTSTART;VALUE=DATE:20261231",
    "X-MICROSOFT-CDO-ALLDAYEVENT:TRUE",
    "X-MICROSOFT-MSNCALENDAR-ALLDAYEVENT:TRUE",
    "SUMMARY:Next step: Type Designer at Letter Works",
    "TRANSP:TRANSPARENT",
    "DESCRIPTION:Call at 11\\; ask about the team\\, twice.\\nBring आशा's book.",
    `URL;VALUE=URI:https://naksha.example/profile/jobs/${job.id}`,
    "END:VEVENT",
    "END:VCALENDAR",
  ]);
});

test("a changed job updates the same event", () => {
  const valueOf = (file: string, name: string) =>
    readLines(file).find((line) => line.startsWith(`${name}:`));
  const changed = formatFile({ version: 4, nextStepOn: "2027-01-02", title: "Font Designer" });
  expect(valueOf(changed, "UID")).toBe(valueOf(formatFile(), "UID"));
  expect(valueOf(changed, "SEQUENCE")).toBe("SEQUENCE:4");
});

test("a job without a next step, or with a last state, has no file", () => {
  expect(formatFile({ nextStepOn: null })).toBeNull();
  for (const state of ["rejected", "withdrawn"] as const) expect(formatFile({ state })).toBeNull();
  expect(formatFile({ state: "saved", notes: "" })).not.toContain("DESCRIPTION");
});

test("texts of any characters stay values of one line", () => {
  const text = fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 300 }),
    fc
      .array(
        fc.constantFrom("\r\n", "\r", "\n", "\\", ";", ",", "END:VEVENT", "X-A:", " ", "आ", "🦚"),
      )
      .map((parts) => parts.join("")),
  );
  const date = fc.date({
    min: new Date("2000-01-01"),
    max: new Date("2099-12-31"),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(text, text, text, date, (title, company, notes, moment) => {
      const nextStepOn = moment.toISOString().slice(0, 10);
      const file = formatFile({ title, company, notes, nextStepOn });
      for (const line of file.split("\r\n"))
        expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
      const lines = readLines(file);
      expect(lines).toHaveLength(notes ? 16 : 15);
      expect(lines[7]).toBe(`DTSTART;VALUE=DATE:${nextStepOn.replaceAll("-", "")}`);
      const normalize = (value: string) => value.replace(/\r\n?/g, "\n");
      expect(unescape(lines[10]!)).toBe(normalize(`SUMMARY:Next step: ${title} at ${company}`));
      if (notes) expect(unescape(lines[12]!)).toBe(normalize(`DESCRIPTION:${notes}`));
    }),
  );
});
