import { expect, test } from "vitest";
import {
  describeArchived,
  describeCheck,
  explainClosed,
  formatCheckedOn,
  formatClosing,
  getClosingEnd,
  getLiveUntil,
} from "./check-rules.ts";

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
    "Checked Nov 18, 2026 by the company. Next check Dec 2.",
  );
  expect(describeCheck({ checkedAt, checkDueAt, kind: "contact" }, moment)).toBe(
    "Checked Nov 18, 2026 by the contact. Next check Dec 2.",
  );
});

test("the next check has a year only if it is another one", () => {
  const nextYear = { checkedAt, checkDueAt: new Date("2026-12-31T18:30:00Z"), kind: null };
  expect(describeCheck(nextYear, moment)).toBe("Checked Nov 18, 2026. Next check Jan 1, 2027.");
});

test("an overdue check promises no next one", () => {
  expect(describeCheck({ checkedAt, checkDueAt: moment, kind: "staff" }, moment)).toBe(
    "Last checked Nov 18, 2026 by our team.",
  );
});

test("a listing without a check says so", () => {
  expect(describeCheck({ checkedAt: null, checkDueAt, kind: null }, moment)).toBe(
    "Not checked yet",
  );
});

test("an archived listing says why, also before the task archives it", () => {
  const job = {
    isArchived: true,
    archivedReason: null,
    closesOn: null,
    checkedAt: new Date("2026-11-18T12:00:00Z"),
    checkDueAt: new Date("2026-12-02T12:00:00Z"),
    liveUntil: new Date("2026-12-09T12:00:00Z"),
  };
  expect(describeArchived(job)).toBeNull();
  expect(describeArchived({ ...job, archivedReason: "filled" })).toBe("Filled");
  const unanswered = "No answer since Dec 2, 2026";
  expect(describeArchived({ ...job, archivedReason: "unanswered" })).toBe(unanswered);
  expect(describeArchived({ ...job, isArchived: false })).toBe(unanswered);
  expect(describeArchived({ ...job, isArchived: false, checkedAt: null })).toBe(
    "Not checked in time",
  );
  const dated = { ...job, closesOn: "2026-12-01", liveUntil: getClosingEnd("2026-12-01") };
  expect(describeArchived({ ...dated, isArchived: false })).toBe("Closing date passed");
});

test("readers learn why a job is closed", () => {
  const job = { isArchived: true, archivedReason: null, closesOn: null, liveUntil: null };
  expect(explainClosed(job)).toBe("It has been taken down.");
  expect(explainClosed({ ...job, archivedReason: "reported" })).toBe(
    "We removed it after reports.",
  );
  expect(explainClosed({ ...job, isArchived: false, liveUntil: new Date(0) })).toBe(
    "We couldn't confirm that it is still open.",
  );
});

test("cards show the date of the last check and the last day to apply", () => {
  expect(formatCheckedOn(new Date("2026-11-18T20:00:00Z"))).toBe("Checked Nov 19, 2026");
  expect(formatCheckedOn(null)).toBe("Not checked yet");
  expect(formatClosing("2026-12-12")).toBe("Apply by Dec 12, 2026");
  expect(formatClosing(null)).toBeNull();
});
