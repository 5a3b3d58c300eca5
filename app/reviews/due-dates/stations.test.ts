import { expect, test } from "vitest";
import { buildDueView } from "./due-dates.ts";
import { listStations } from "./stations.ts";

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
