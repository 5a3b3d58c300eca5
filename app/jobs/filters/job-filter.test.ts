import { expect, test } from "vitest";
import { buildBoardAddress } from "./board-query.ts";
import { findFilterPlaces } from "./filter-places.server.ts";
import { describeIgnoredValues } from "./filter-labels.server.ts";
import { parseJobFilter } from "./job-filter.server.ts";

const check = (query: string) => parseJobFilter(new URLSearchParams(query));
const addressOf = (query: string) => buildBoardAddress(check(query).query);
const messageFor = (query: string) => describeIgnoredValues(check(query).ignored);

test.each([
  ["Bangalore", "bengaluru"],
  ["bengaluru", "bengaluru"],
  ["BENGALURU", "bengaluru"],
  [" navi  mumbai ", "navi-mumbai"],
  ["Pune, Maharashtra", "pune"],
  ["Bombay", "mumbai"],
  ["UAE", "united-arab-emirates"],
  ["ncr", "ncr"],
  ["Delhi NCR", "ncr"],
])("the place %s is %s in the address", (name, slug) => {
  expect(addressOf(new URLSearchParams({ place: name }).toString())).toBe(`/jobs?place=${slug}`);
  expect(messageFor(new URLSearchParams({ place: name }).toString())).toBeNull();
});

test("names of the same place and several places in one text are each one value", () => {
  expect(addressOf("place=Bangalore&place=bengaluru")).toBe("/jobs?place=bengaluru");
  expect(addressOf("place=Pune%2C%20Bangalore")).toBe("/jobs?place=bengaluru&place=pune");
});

test("a set has a name and finds all of its places", () => {
  const [set] = findFilterPlaces(["ncr"]);
  expect(set!.name).toBe("NCR");
  expect(set!.ids.length).toBeGreaterThan(4);
});

test.each([
  ["", null],
  ["place=&type=&discipline=", null],
  ["place=foo", "We ignored “foo” in the address: it isn't a known place."],
  [
    "place=Pune%2C+Nepal",
    "We ignored “Pune, Nepal” in the address: “Pune” and “Nepal” don't fit together.",
  ],
  ["type=All", "We ignored “All” in the address: it isn't a known job type."],
  [
    "mode=x&mode=y&mode=remote",
    "We ignored “x” and “y” in the address: they aren't known work modes.",
  ],
  ["mode=x&skill=y", "We ignored “x” and “y” in the address: they aren't known filters."],
  ["task=paid", "We ignored “paid” in the address: it isn't a known test task."],
  ["experience=41", "We ignored “41” in the address: it isn't a known number of years."],
  [
    "skill=1&skill=2&skill=3&skill=4&skill=5",
    "We ignored “1”, “2”, “3” and 2 more in the address: they aren't known skills.",
  ],
])("the address %s shows the message %j", (query, message) => {
  expect(messageFor(query)).toBe(message);
});

test("unknown values are left out of the query", () => {
  expect(addressOf("skill=figma&skill=foo&mode=x&discipline=x&place=x")).toBe("/jobs?skill=figma");
});

test.each([
  "discipline=x",
  "type=x",
  "mode=remote&mode=x",
  "experience=41",
  "pay=7",
  "task=x",
  "sort=x",
])("a page that ignores a value of %s isn't cached", (address) => {
  expect(check(address).cacheKey).toBeNull();
});

test.each([
  [
    "search=&type=&place=&experience=&pay=&task=&sort=&summary=hide&summary=show&utm_source=x",
    "/jobs",
  ],
  ["mode=remote&type=Internship", "/jobs?type=Internship&mode=remote"],
  ["mode=remote&mode=hybrid", "/jobs?mode=hybrid&mode=remote"],
  ["place=Bangalore", "/jobs?place=bengaluru"],
  ["task=no-unpaid&pay=3&sort=pay", "/jobs?pay=3&task=no-unpaid&sort=pay"],
])("the cached page of %s has the key %s", (address, key) => {
  expect(check(address).cacheKey).toBe(key);
});

test("an eleventh value is ignored and named", () => {
  const values = ["pune", "goa", "delhi", "mumbai", "kochi", "jaipur", "surat", "indore", "nagpur"];
  const query = [...values, "chennai", "kolkata"].map((place) => `place=${place}`).join("&");
  expect(check(query).query.place).toHaveLength(10);
  expect(messageFor(query)).toBe(
    "We ignored “kolkata” in the address: each filter takes at most 10 values.",
  );
});

test("long and numerous values make a short message", () => {
  expect(messageFor(`place=${"x".repeat(10_000)}`)!.length).toBeLessThan(120);
  const many = Array.from({ length: 2_000 }, (_, number) => `place=${"y".repeat(500)}${number}`);
  expect(messageFor(many.join("&"))!.length).toBeLessThan(250);
});
