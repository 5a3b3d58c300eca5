import { expect, test } from "vitest";
import { buildDueView } from "./due-dates.ts";
import { listMailStations, listStations } from "./stations.ts";

const due = buildDueView(new Date("2026-11-27T02:28:00Z"), new Date("2026-11-26T12:00:00Z"));
const states = (status: string) => listStations({ status, due }).stations.map(({ state }) => state);

test("the way of a review follows its status", () => {
  expect(states("pending")).toEqual(["current", "ahead", "ahead"]);
  expect(states("under_review")).toEqual(["passed", "current", "ahead"]);
  expect(states("completed")).toEqual(["passed", "passed", "passed"]);
});

test("an open review is late after its due date", () => {
  expect(listStations({ status: "pending", due }).isLate).toBe(false);
  const overdue = buildDueView(new Date(due.at), new Date("2026-11-28T12:00:00Z"));
  expect(listStations({ status: "pending", due: overdue }).isLate).toBe(true);
  expect(listStations({ status: "completed", due: null }).isLate).toBe(false);
});

const bought = {
  createdAt: new Date("2026-11-24T02:28:00Z"),
  dueAt: new Date(due.at),
  extendedTo: null,
  withdrawnAt: null,
};
const beforeDue = new Date("2026-11-26T12:00:00Z");
const afterDue = new Date("2026-11-28T12:00:00Z");

test.each([
  ["waiting", "pending", beforeDue, ["on Nov 24", undefined, "by Fri, Nov 27, 7:58 AM"]],
  ["assigned", "under_review", beforeDue, ["on Nov 24", undefined, "by Fri, Nov 27, 7:58 AM"]],
  ["late", "under_review", afterDue, ["on Nov 24", undefined, "by Fri, Nov 27, 7:58 AM"]],
  ["completed", "completed", beforeDue, ["on Nov 24", undefined, "on Nov 26"]],
  ["completed late", "completed", afterDue, ["on Nov 24", undefined, "on Nov 28"]],
])("an email about a review that is %s has its stations with their dates", (...row) => {
  const [name, status, moment, details] = row;
  const way = listMailStations({ ...bought, status }, moment);
  const shown = way.stations.map(({ label, state }) => ({ label, state }));
  expect(shown).toEqual(listStations({ status, due }).stations);
  expect(way.stations.map(({ detail }) => detail)).toEqual(details);
  expect(way.isLate).toBe(name === "late");
});

test("an email has the later date of an extended review", () => {
  const extendedTo = new Date("2026-11-29T04:30:00Z");
  const way = listMailStations({ ...bought, status: "pending", extendedTo }, afterDue);
  expect(way.stations[2]?.detail).toBe("by Sun, Nov 29, 10:00 AM");
  expect(way.isLate).toBe(false);
});

test("an email has no time for a review without a due date, and years only of other years", () => {
  const undated = { ...bought, status: "pending", dueAt: null };
  expect(listMailStations(undated, beforeDue).stations[2]?.detail).toBeUndefined();
  const newYear = new Date("2027-01-02T12:00:00Z");
  const details = (status: string) =>
    listMailStations({ ...bought, status }, newYear).stations.map(({ detail }) => detail);
  expect(details("pending")).toEqual([
    "on Nov 24, 2026",
    undefined,
    "by Fri, Nov 27, 2026, 7:58 AM",
  ]);
  expect(details("completed")[2]).toBe("on Jan 2");
});
