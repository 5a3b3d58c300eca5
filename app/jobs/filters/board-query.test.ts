import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  buildBoardAddress,
  type BoardQuery,
  choiceGroups,
  emptyBoardQuery,
  maxSearchLength,
  maxChoices,
  parseBoardQuery,
  removeChoice,
  removeFilters,
  taskFilters,
} from "./board-query.ts";
import { disciplines, skills, workModes } from "../details.ts";
import { payLevels } from "../detail-limits.ts";
import { jobTypes } from "../rules.ts";

const read = (query: string) => parseBoardQuery(new URLSearchParams(query));

test("without a query, the board shows every job from the newest, with summaries", () => {
  expect(read("")).toEqual(emptyBoardQuery);
});

test("an unknown type means all types", () => {
  expect(read("type=Internship").type).toBe("Internship");
  expect(read("type=All").type).toBeNull();
  expect(read("type=<script>").type).toBeNull();
});

test("the summary is hidden only if its box is unticked", () => {
  expect(read("summary=hide").showSummary).toBe(false);
  expect(read("summary=hide&summary=show").showSummary).toBe(true);
});

test("a search accepts every script and symbol, removes control characters and has at most 200 characters", () => {
  expect(read("search=%00ux%0d%0alead%7f").search).toBe("ux lead");
  expect(read("search=%F0%9F%8E%A8%20%25_%27--%3Cb%3E%20%E0%A4%A1").search).toBe("🎨 %_'--<b> ड");
  expect(Array.from(read(`search=${encodeURIComponent("🎨".repeat(300))}`).search)).toHaveLength(
    maxSearchLength,
  );
});

test("the values of a filter are short, each once, at most ten, and sorted", () => {
  expect(read("discipline=ux&discipline=product&discipline=ux").discipline).toEqual([
    "product",
    "ux",
  ]);
  for (const name of choiceGroups) {
    const many = Array.from({ length: 11 }, (_, number) => `${name}=v${number}`).join("&");
    expect(read(many)[name]).toHaveLength(maxChoices);
    expect(read(`${name}=${"x".repeat(10_000)}`)[name][0]).toHaveLength(80);
    expect(read(`${name}=&${name}=%20%0a`)[name]).toEqual([]);
  }
});

test.each([
  ["experience=0", { experience: 0 }],
  ["experience=40", { experience: 40 }],
  ["experience=41", {}],
  ["experience=-1", {}],
  ["experience=2.5", {}],
  ["experience=unstated", { experience: "unstated" }],
  ["pay=1.2", { pay: "1.2" }],
  ["pay=other", { pay: "other" }],
  ["pay=7", {}],
  ["pay=constructor", {}],
  ["task=no-unpaid", { task: "no-unpaid" }],
  ["task=unstated", { task: "unstated" }],
  ["task=unpaid", {}],
  ["sort=pay", { sort: "pay" }],
  ["sort=x", {}],
])("the address %s gives %j", (address, expected) => {
  expect(read(address)).toEqual({ ...emptyBoardQuery, ...expected });
});

const valuesOf = <Value>(list: readonly { value: Value }[]) => list.map(({ value }) => value);
const some = <Value>(list: readonly Value[]) =>
  fc.uniqueArray(fc.constantFrom(...list), { maxLength: maxChoices });

const anyQuery: fc.Arbitrary<BoardQuery> = fc.record({
  search: fc
    .string({ unit: "grapheme", maxLength: 80 })
    .map((text) => read(`search=${encodeURIComponent(text)}`).search),
  type: fc.constantFrom(null, ...jobTypes),
  discipline: some(valuesOf(disciplines)),
  mode: some(valuesOf(workModes)),
  place: some(["pune", "goa", "delhi", "New Delhi & more", "İzmir"]),
  skill: some(valuesOf(skills)),
  experience: fc.oneof(fc.constantFrom(null, "unstated" as const), fc.integer({ min: 0, max: 40 })),
  pay: fc.constantFrom(null, "unstated" as const, "other" as const, ...valuesOf(payLevels)),
  task: fc.constantFrom(null, ...taskFilters),
  sort: fc.constantFrom("newest" as const, "pay" as const),
  showSummary: fc.boolean(),
  after: fc.option(fc.base64String({ minLength: 1 })),
});

const parseAddress = (address: string) =>
  parseBoardQuery(new URL(address, "http://localhost").searchParams);

test("a built address parses to the same query, and the query has no other address", () => {
  fc.assert(
    fc.property(anyQuery, (query) => {
      const address = buildBoardAddress(query);
      const parsed = parseAddress(address);
      const sets = { discipline: 0, mode: 0, place: 0, skill: 0 };
      for (const name of Object.keys(sets) as (keyof typeof sets)[])
        expect(new Set<string>(parsed[name])).toEqual(new Set<string>(query[name]));
      expect({ ...parsed, ...sets }).toEqual({ ...query, ...sets });
      expect(buildBoardAddress(parsed)).toBe(address);
      const { searchParams } = new URL(address, "http://localhost");
      const reversed = new URLSearchParams([...searchParams].toReversed());
      expect(buildBoardAddress(parseBoardQuery(reversed))).toBe(address);
    }),
  );
});

test("removing one value or all filters keeps search, type and order, and starts at the first page", () => {
  const query = read("search=figma&type=Internship&mode=remote&mode=hybrid&pay=3&sort=pay&after=x");
  expect(buildBoardAddress(removeChoice(query, "mode", "remote"))).toBe(
    "/jobs?search=figma&type=Internship&mode=hybrid&pay=3&sort=pay",
  );
  expect(buildBoardAddress(removeFilters(query))).toBe(
    "/jobs?search=figma&type=Internship&sort=pay",
  );
});
