import { expect, test } from "vitest";
import { aliases, placeSets } from "./aliases.server.ts";
import {
  allPlaces,
  findPlaceBySlug,
  formatPlaceName,
  getPlace,
  listPlaceAncestors,
  listPlacesByPrefix,
  placesByKey,
} from "./find-places.server.ts";
import { parsePlaceList } from "./parse-places.server.ts";
import { formatPlaceCoordinates, type Place, toPlaceKey } from "./rules.ts";

const slugsOf = (places: readonly Place[]) => places.map(({ slug }) => slug);

test("ids and slugs are unique and in their ranges", () => {
  expect(new Set(allPlaces.map(({ id }) => id)).size).toBe(allPlaces.length);
  expect(new Set(slugsOf(allPlaces)).size).toBe(allPlaces.length);
  const ranges = { country: [1, 999], state: [1_000, 9_999], city: [10_000, 89_999_999] } as const;
  for (const { id, kind, slug } of allPlaces) {
    const [first, last] = ranges[kind];
    expect(id >= first && id <= last, slug).toBe(true);
    expect(slug).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)*$/);
  }
});

test("the list has India's cities, states and all countries", () => {
  const count = (kind: Place["kind"], isIndian: boolean) =>
    allPlaces.filter((place) => place.kind === kind && (place.country === "IN") === isIndian)
      .length;
  expect(count("city", true)).toBeGreaterThan(850);
  expect(count("city", false)).toBeGreaterThan(700);
  expect(count("state", true)).toBe(34);
  expect(count("country", false)).toBeGreaterThan(230);
});

test("each city has coordinates in its part of the world", () => {
  for (const { slug, kind, country, north, east } of allPlaces) {
    if (kind !== "city") continue;
    expect(north! >= -90 && north! <= 90 && east! >= -180 && east! <= 180, slug).toBe(true);
    if (country === "IN")
      expect(north! > 6 && north! < 37 && east! > 68 && east! < 98, slug).toBe(true);
  }
});

test("each parent exists, and the ancestors of each place end at its country", () => {
  for (const place of allPlaces) {
    const ancestors = listPlaceAncestors(place.id).map(getPlace);
    expect(ancestors[0]).toBe(place);
    expect(ancestors.length).toBeLessThanOrEqual(3);
    expect(ancestors.at(-1)).toMatchObject({ kind: "country", country: place.country });
    expect(new Set(ancestors).size).toBe(ancestors.length);
  }
});

test.each([
  ["pune", ["pune", "maharashtra", "india"]],
  ["new-delhi", ["new-delhi", "delhi", "india"]],
  ["delhi", ["delhi", "india"]],
  ["gurugram", ["gurugram", "haryana", "india"]],
  ["noida", ["noida", "uttar-pradesh", "india"]],
  ["hyderabad", ["hyderabad", "telangana", "india"]],
  ["visakhapatnam", ["visakhapatnam", "andhra-pradesh", "india"]],
  ["neemuch", ["neemuch", "madhya-pradesh", "india"]],
  ["nippani", ["nippani", "karnataka", "india"]],
  ["leh", ["leh", "ladakh", "india"]],
  ["silvassa", ["silvassa", "dadra-and-nagar-haveli-and-daman-and-diu", "india"]],
  ["san-francisco", ["san-francisco", "california", "united-states"]],
  ["london", ["london", "england", "united-kingdom"]],
  ["dubai", ["dubai", "united-arab-emirates"]],
])("the ancestors of %s are right", (slug, expected) => {
  expect(slugsOf(listPlaceAncestors(findPlaceBySlug(slug)!.id).map(getPlace))).toEqual(expected);
});

test.each(
  [
    "Bengaluru",
    "Mumbai",
    "Kolkata",
    "Gurugram",
    "Prayagraj",
    "Mysuru",
    "Kochi",
    "Puducherry",
  ].concat([
    "Thiruvananthapuram",
    "Visakhapatnam",
    "Dehradun",
    "Bhubaneswar",
    "Greater Noida",
    "Gangtok",
  ]),
)("%s is called by today's name", (name) => {
  expect(placesByKey.get(toPlaceKey(name))?.[0]?.name).toBe(name);
});

test("quarters, districts and second entries of a city are not in the list", () => {
  for (const slug of ["rohini", "najafgarh", "yelahanka", "gajuwaka", "brooklyn", "kowloon"])
    expect(findPlaceBySlug(slug), slug).toBeNull();
  const names = allPlaces.map(({ name, parent }) => `${name} ${parent}`);
  expect(new Set(names).size).toBe(names.length);
});

test("each alias names an existing place and finds it", () => {
  expect(Object.keys(aliases).length).toBeGreaterThan(100);
  for (const [slug, names] of Object.entries(aliases)) {
    const place = findPlaceBySlug(slug);
    expect(place, slug).not.toBeNull();
    for (const name of names.split("|"))
      expect(placesByKey.get(toPlaceKey(name)), name).toContain(place);
  }
});

test("no alias is written twice or repeats a place's own name", () => {
  const names = Object.values(aliases).flatMap((joined) => joined.split("|").map(toPlaceKey));
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  const own = Object.entries(aliases).flatMap(([slug, joined]) => {
    const name = toPlaceKey(findPlaceBySlug(slug)!.name);
    return joined.split("|").filter((alias) => toPlaceKey(alias) === name);
  });
  expect(own).toEqual([]);
});

test("the places of each set exist, and no place has its name", () => {
  for (const [names, slugs] of Object.entries(placeSets)) {
    expect(slugs.map(findPlaceBySlug)).not.toContain(null);
    for (const name of names.split("|"))
      expect(placesByKey.has(toPlaceKey(name)), name).toBe(false);
  }
});

test("each place is found again by its formatted name", () => {
  for (const place of allPlaces) {
    const name = formatPlaceName(place.id);
    expect(parsePlaceList(name), name).toEqual({ places: [place], unknown: [], conflicts: [] });
  }
});

test.each([
  ["pune", "Pune, Maharashtra"],
  ["london", "London, United Kingdom"],
  ["delhi", "Delhi"],
  ["new-delhi", "New Delhi, Delhi"],
  ["kerala", "Kerala"],
  ["california", "California, United States"],
  ["india", "India"],
  ["singapore", "Singapore"],
])("%s is formatted as %s", (slug, name) => {
  expect(formatPlaceName(findPlaceBySlug(slug)!.id)).toBe(name);
});

test("a prefix finds names and other names, places in India first and larger cities first", () => {
  const found = (text: string) => slugsOf(listPlacesByPrefix(text, 10));
  expect(found("pu").slice(0, 3)).toContain("pune");
  expect(found("BANGA")).toEqual(expect.arrayContaining(["bengaluru", "bangaon"]));
  expect(found("bomb")).toEqual(["mumbai"]);
  expect(found("hyderabad")).toEqual(["hyderabad", "hyderabad-pakistan"]);
  expect(found("sao p")).toEqual(["sao-paulo"]);
  expect(found("ind").slice(0, 2)).toEqual(["india", "indore"]);
  expect(found("")).toEqual([]);
  expect(found("xyz")).toEqual([]);
  expect(listPlacesByPrefix("a", 3)).toHaveLength(3);
});

test("coordinates have a direction", () => {
  expect(formatPlaceCoordinates(18.5196, 73.8553)).toEqual(["18.52° N", "73.86° E"]);
  expect(formatPlaceCoordinates(-33.87, -70.65)).toEqual(["33.87° S", "70.65° W"]);
});
