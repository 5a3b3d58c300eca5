import { aliases, placeSets } from "./aliases.server.ts";
import placeRows from "./places.json" with { type: "json" };
import { india, type Place, toPlaceKey } from "./rules.ts";

type PlaceRow = [
  id: number,
  kind: Place["kind"],
  name: string,
  slug: string,
  parent: number | null,
  country: string,
  north: number | null,
  east: number | null,
];

/** Every known place: India with its states and cities, then all others. Cities are ordered by size. */
export const allPlaces: readonly Place[] = (placeRows as PlaceRow[]).map(
  ([id, kind, name, slug, parent, country, north, east]) => ({
    id,
    kind,
    name,
    slug,
    parent,
    country,
    north,
    east,
  }),
);

const placesById = new Map(allPlaces.map((place) => [place.id, place]));
const placesBySlug = new Map(allPlaces.map((place) => [place.slug, place]));
const orders = new Map(allPlaces.map((place, index) => [place, index]));
const countriesByCode = new Map(
  allPlaces.filter(({ kind }) => kind === "country").map((place) => [place.country, place]),
);

/** Every name with its places, first the place that the name alone means. */
export const placesByKey: ReadonlyMap<string, readonly Place[]> = buildPlacesByKey();

/** The names of several places, such as the key "ncr". */
export const setsByKey: ReadonlyMap<string, readonly Place[]> = new Map(
  Object.entries(placeSets).flatMap(([names, slugs]) =>
    names.split("|").map((name) => [toPlaceKey(name), slugs.map(getPlaceBySlug)] as const),
  ),
);

function buildPlacesByKey(): Map<string, Place[]> {
  const names = new Map<string, Place[]>();
  const add = (name: string, place: Place) => {
    const key = toPlaceKey(name);
    const places = names.get(key) ?? [];
    if (!places.includes(place)) names.set(key, [...places, place].toSorted(compareOrder));
  };
  for (const place of allPlaces) add(place.name, place);
  for (const [slug, others] of Object.entries(aliases))
    for (const name of others.split("|")) add(name, getPlaceBySlug(slug));
  return names;
}

function compareOrder(one: Place, other: Place): number {
  return orders.get(one)! - orders.get(other)!;
}

/** @throws if no place has the id. Ids come from the database, and places are never removed. */
export function getPlace(id: number): Place {
  const place = placesById.get(id);
  if (!place) throw new Error(`No place has the id ${id}.`);
  return place;
}

/** Finds a place by the name in addresses, such as "pune". */
export function findPlaceBySlug(slug: string): Place | null {
  return placesBySlug.get(slug) ?? null;
}

function getPlaceBySlug(slug: string): Place {
  const place = placesBySlug.get(slug);
  if (!place) throw new Error(`No place has the slug ${slug}.`);
  return place;
}

/** @param code ISO 3166-1, two letters */
export function getCountry(code: string): Place {
  const country = countriesByCode.get(code);
  if (!country) throw new Error(`No country has the code ${code}.`);
  return country;
}

/** Lists the ids of a place, then of its state and country. */
export function listPlaceAncestors(id: number): number[] {
  const { parent } = getPlace(id);
  return parent === null ? [id] : [id, ...listPlaceAncestors(parent)];
}

/**
 * Formats a place so that `parsePlaceList` finds it again: "Pune, Maharashtra", "London, United Kingdom", "Kerala" or
 * "India".
 */
export function formatPlaceName(id: number): string {
  const { kind, name, parent, country } = getPlace(id);
  if (kind === "country" || parent === null) return name;
  if (country !== india) return `${name}, ${getCountry(country).name}`;
  const above = getPlace(parent);
  return above.kind === "country" ? name : `${name}, ${above.name}`;
}

const keys = [...placesByKey].map(([key, places]) => ({ key, places }));

/**
 * Lists the places with a name that begins with a text, in any case: places in India first, larger cities first.
 *
 * @param text at least one letter; otherwise nothing is found
 */
export function listPlacesByPrefix(text: string, limit: number): Place[] {
  const prefix = toPlaceKey(text);
  if (!prefix) return [];
  const matches = keys.filter(({ key }) => key.startsWith(prefix)).flatMap(({ places }) => places);
  return [...new Set(matches)].toSorted(compareOrder).slice(0, limit);
}
