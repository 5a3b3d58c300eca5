import { expect, test } from "vitest";
import { day, hour } from "../../platform/clock.ts";
import { parseDateTimeInput, toDueView, updateDueView, toDateTimeInput } from "./due-dates.ts";

/** Friday, November 20, 2026, 21:40 in India. */
const moment = new Date("2026-11-20T16:10:00Z");

const at = (dueAt: string, others: object = {}) =>
  toDueView({ status: "pending", dueAt: new Date(dueAt), extendedTo: null, ...others }, moment);

test("a due date shows weekday, day and time in India, and the year only if it is another one", () => {
  expect(at("2026-11-22T16:10:00Z")?.due).toBe("due Sun, Nov 22, 9:40 PM");
  // 00:30 in India, still the day before in UTC.
  expect(at("2026-11-21T19:00:00Z")?.due).toBe("due Sun, Nov 22, 12:30 AM");
  expect(at("2026-12-31T18:30:00Z")?.due).toBe("due Fri, Jan 1, 2027, 12:00 AM");
  expect(at("2026-11-18T16:10:00Z")?.due).toBe("was due Wed, Nov 18, 9:40 PM");
});

test.for([
  ["2026-11-22T16:10:00Z", "48 hours left"],
  ["2026-11-20T21:30:00Z", "5 hours left"],
  ["2026-11-20T17:10:00Z", "1 hour left"],
  ["2026-11-20T17:09:00Z", "59 minutes left"],
  ["2026-11-20T16:10:10Z", "1 minute left"],
  ["2026-11-24T16:10:00Z", "4 days left"],
  ["2026-11-20T14:00:00Z", "overdue by 2 hours"],
  ["2026-11-16T16:10:00Z", "overdue by 4 days"],
] as const)("a review that is due at %s shows: %s", ([dueAt, words]) => {
  expect(at(dueAt)?.left).toBe(words);
});

test.for([
  ["2026-11-27T02:28:00Z", "Due Fri, Nov 27"],
  ["2026-11-21T16:10:00Z", "Due Sat, Nov 21"],
  ["2026-11-21T16:09:00Z", "23 h left"],
  ["2026-11-20T17:10:00Z", "1 h left"],
  ["2026-11-20T17:03:00Z", "53 min left"],
  ["2026-11-20T16:10:00Z", "1 min left"],
  ["2026-11-20T16:09:59Z", "Overdue 1 min"],
  ["2026-11-20T14:00:00Z", "Overdue 2 h"],
  ["2026-11-18T16:11:00Z", "Overdue 47 h"],
  ["2026-11-16T16:10:00Z", "Overdue 4 days"],
] as const)("in a list, a review that is due at %s shows: %s", ([dueAt, words]) => {
  expect(at(dueAt)?.label).toBe(words);
});

test("a later date is shown, with the first date beside it", () => {
  const extendedTo = new Date("2026-11-23T16:10:00Z");
  expect(at("2026-11-20T12:00:00Z", { extendedTo })).toEqual({
    label: "Due Mon, Nov 23",
    due: "due Mon, Nov 23, 9:40 PM",
    left: "3 days left",
    isOverdue: false,
    first: "first due Fri, Nov 20, 5:30 PM",
    at: "2026-11-23T16:10:00.000Z",
    measuredAt: "2026-11-20T16:10:00.000Z",
  });
});

test("a due date is updated by the elapsed time", () => {
  const shown = at("2026-11-20T21:30:00Z")!;
  expect(updateDueView(shown, 4 * hour)).toEqual({
    ...shown,
    label: "1 h left",
    left: "1 hour left",
  });
  expect(updateDueView(shown, day)).toEqual({
    ...shown,
    label: "Overdue 18 h",
    due: "was due Sat, Nov 21, 3:00 AM",
    left: "overdue by 18 hours",
    isOverdue: true,
  });
});

test("a dateless, completed or refunded review is not due", () => {
  expect(at("2026-11-22T16:10:00Z", { dueAt: null })).toBeNull();
  expect(at("2026-11-22T16:10:00Z", { status: "completed" })).toBeNull();
  expect(at("2026-11-22T16:10:00Z", { withdrawnAt: moment })).toBeNull();
});

test("a date and time field is in Indian time, and parses to the same moment", () => {
  expect(toDateTimeInput(moment)).toBe("2026-11-20T21:40");
  expect(parseDateTimeInput("2026-11-20T21:40")).toEqual(moment);
  for (const none of ["", "2026-11-20", "2026-13-40T21:40", "tomorrow"])
    expect(parseDateTimeInput(none)).toBeNull();
});
