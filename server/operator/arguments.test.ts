import { expect, test } from "vitest";
import { parseMoment } from "./arguments.ts";

test("a day must exist and starts at midnight IST", () => {
  expect(parseMoment("2028-02-29")).toEqual(new Date("2028-02-28T18:30:00Z"));
  expect(parseMoment("2026-01-31T09:00+05:30")).toEqual(new Date("2026-01-31T03:30:00Z"));
  for (const invalid of ["2026-02-31", "2026-02-29T10:00Z", "2026-13-01", "2026-1-31", "today", ""])
    expect(() => parseMoment(invalid)).toThrow("It must be a day like 2026-01-31");
});
