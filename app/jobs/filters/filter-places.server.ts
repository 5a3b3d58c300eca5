import { facets } from "../details.ts";
import {
  findPlaceBySlug,
  listPlaceAncestors,
  placesByKey,
  setsByKey,
} from "../places/find-places.server.ts";
import { parsePlaceList } from "../places/parse-places.server.ts";
import { anywhere, type Place, toPlaceKey } from "../places/rules.ts";
import { maxChoices } from "./board-query.ts";

/** A place, or a set of places such as NCR, that a filter can name. */
export type FilterPlace = { slug: string; name: string; ids: number[] };

/** Listings that state no place. */
export const unstatedPlace: FilterPlace = { slug: "unstated", name: "Place not stated", ids: [] };

/** Finds the places that texts name, each once and sorted by slug. Unknown names are left out. */
export function findFilterPlaces(names: readonly string[]): FilterPlace[] {
  return joinPlaces(names.flatMap(findNamedPlaces));
}

/** Returns each place once, sorted by slug. */
export function joinPlaces(chosen: readonly FilterPlace[]): FilterPlace[] {
  const places = new Map(chosen.map((place) => [place.slug, place]));
  return [...places.values()]
    .slice(0, maxChoices)
    .toSorted((one, other) => (one.slug < other.slug ? -1 : 1));
}

/** Finds the places that one text names; none if any part of it is unknown. */
export function findNamedPlaces(name: string): FilterPlace[] {
  if (name === unstatedPlace.slug) return [unstatedPlace];
  const place = findPlaceBySlug(name) ?? findPlaceBySlug(name.toLowerCase());
  if (place) return [toFilterPlace(place)];
  const key = toPlaceKey(name);
  const set = setsByKey.get(key);
  if (set) return [toFilterSet(set)];
  const [named] = placesByKey.get(key) ?? [];
  if (named) return [toFilterPlace(named)];
  const { places, unknown, conflicts } = parsePlaceList(name);
  return unknown.length + conflicts.length === 0 ? places.map(toFilterPlace) : [];
}

function toFilterPlace({ id, slug, name }: Place): FilterPlace {
  return { slug, name, ids: [id] };
}

/** A set's address has the first of its names, such as "ncr". */
function toFilterSet(places: readonly Place[]): FilterPlace {
  const ids = places.map(({ id }) => id);
  const isSame = (others: readonly Place[]) => others.every(({ id }, index) => id === ids[index]);
  const [key] = [...setsByKey].find(([, others]) => isSame(others))!;
  return { slug: key.replaceAll(" ", "-"), name: key.toUpperCase(), ids };
}

/** Lists the facets of work in a place, or of remote work open to all of it or to a place within it. */
export function listPlaceFacets({ ids }: Pick<FilterPlace, "ids">): number[] {
  if (ids.length === 0) return [facets.unstated.place];
  const areas = [...new Set(ids.flatMap(listPlaceAncestors))];
  return [
    ...ids.map(facets.workPlace),
    ...[anywhere, ...areas].map(facets.applicantPlace),
    ...ids.map(facets.applicantPlaceWithin),
  ];
}
