import { expect, test } from "vitest";
import { describeCheck, getLiveUntil } from "./check-rules.ts";

const checkDueAt = new Date("2026-12-02T06:00:00Z");

test("a listing of staff stays until it is archived", () => {
  expect(getLiveUntil({ closesOn: null, checkDueAt, lapses: false })).toBeNull();
});

test("other listings leave the board seven days after their check was due", () => {
  expect(getLiveUntil({ closesOn: null, checkDueAt, lapses: true })).toEqual(
    new Date("2026-12-09T06:00:00Z"),
  );
});

test("a closing date ends with its day in India", () => {
  expect(getLiveUntil({ closesOn: "2026-11-30", checkDueAt, lapses: false })).toEqual(
    new Date("2026-11-30T18:30:00Z"),
  );
});

test("the earlier end counts", () => {
  expect(getLiveUntil({ closesOn: "2026-11-30", checkDueAt, lapses: true })).toEqual(
    new Date("2026-11-30T18:30:00Z"),
  );
  expect(getLiveUntil({ closesOn: "2026-12-30", checkDueAt, lapses: true })).toEqual(
    new Date("2026-12-09T06:00:00Z"),
  );
});

const checkedAt = new Date("2026-11-18T06:00:00Z");
const moment = new Date("2026-11-26T06:00:00Z");

test("a check names its date, who checked, and the next one", () => {
  expect(describeCheck({ checkedAt, checkDueAt, kind: "company" }, moment)).toBe(
    "Checked Nov 18, 2026 by the company. Next check Dec 2, 2026.",
  );
  expect(describeCheck({ checkedAt, checkDueAt, kind: "contact" }, moment)).toBe(
    "Checked Nov 18, 2026 by the contact. Next check Dec 2, 2026.",
  );
});

test("an overdue check promises no next one", () => {
  expect(describeCheck({ checkedAt, checkDueAt: moment, kind: "staff" }, moment)).toBe(
    "Last checked Nov 18, 2026 by our team.",
  );
});

test("a listing without a check says so", () => {
  expect(describeCheck({ checkedAt: null, checkDueAt: null, kind: null }, moment)).toBe(
    "Not checked yet",
  );
});
