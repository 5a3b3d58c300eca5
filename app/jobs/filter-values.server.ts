import {
  type BoardFilters,
  type BoardQuery,
  buildBoardAddress,
  cleanFilterName,
  maxChoices,
  parseBoardQuery,
} from "./board-query.ts";
import { disciplines, facets, skills, workModes } from "./details.ts";
import { payLevels } from "./detail-limits.ts";
import {
  findPlaceBySlug,
  listPlaceAncestors,
  placesByKey,
  setsByKey,
} from "./places/find-places.server.ts";
import { parsePlaceList } from "./places/parse-places.server.ts";
import { anywhere, type Place, toPlaceKey } from "./places/rules.ts";
import { jobTypes, truncateText } from "./rules.ts";

/** A place, or a set of places such as NCR, that a filter can name. */
export type PlaceFilter = { slug: string; name: string; ids: number[] };

/** The filters of the board with their known values only, and the places that `place` has the slugs of. */
export type JobFilter = BoardFilters & { places: readonly PlaceFilter[] };

/** Filters for a condition; absent ones match all. Names of places need their places. */
export type SomeFilters = Partial<Omit<BoardFilters, "place">> &
  ({ place?: undefined; places?: undefined } | Pick<JobFilter, "place" | "places">);

export type CheckedQuery = {
  query: BoardQuery & JobFilter;
  /** The values that the query leaves out, by filter. */
  ignored: IgnoredValue[];
};

export type IgnoredValue = { filter: string; value: string; reason: "unknown" | "too many" };

const recent = new Map<string, CheckedQuery>();
const mostRecent = 100;

/**
 * Parses the board's address, replaces names of places by their slugs, and lists the ignored values. The key of a
 * cached page and its loader need the same query, so the last ones are kept.
 */
export function parseCheckedQuery(params: URLSearchParams): CheckedQuery {
  const key = params.toString();
  const known = recent.get(key);
  if (known) return known;
  const checked = checkQuery(params);
  remember(key, checked);
  // The loader gets the address that all addresses of a query share.
  if (checked.ignored.length === 0)
    remember(buildBoardAddress(checked.query).slice("/jobs?".length), checked);
  return checked;
}

function remember(key: string, checked: CheckedQuery): void {
  recent.set(key, checked);
  const [oldest] = recent.keys();
  if (recent.size > mostRecent) recent.delete(oldest!);
}

function checkQuery(params: URLSearchParams): CheckedQuery {
  const parsed = parseBoardQuery(params);
  const named = new Map(
    params.getAll("place").map((given) => {
      const name = cleanFilterName(given);
      return [name, listPlaceFilters(name)];
    }),
  );
  const places = joinPlaces(parsed.place.flatMap((name) => named.get(name) ?? []));
  const selectKnown = (group: "discipline" | "mode" | "skill") =>
    parsed[group].filter((value) => knownValues[group]!.includes(value));
  const query = {
    ...parsed,
    discipline: selectKnown("discipline"),
    mode: selectKnown("mode"),
    place: places.map(({ slug }) => slug),
    places,
    skill: selectKnown("skill"),
  };
  const isPlace = (name: string) => (named.get(name) ?? []).length > 0;
  return { query, ignored: listIgnoredValues(params, isPlace) };
}

/** Finds the places that a query names. Unknown ones are left out. */
export function withPlaces<Query extends Partial<BoardFilters>>(
  query: Query,
): Query & Pick<JobFilter, "place" | "places"> {
  const places = joinPlaces((query.place ?? []).flatMap(listPlaceFilters));
  return { ...query, place: places.map(({ slug }) => slug), places };
}

/** Returns each place once, sorted by slug. */
function joinPlaces(found: PlaceFilter[]): PlaceFilter[] {
  const places = new Map(found.map((place) => [place.slug, place]));
  return [...places.values()]
    .slice(0, maxChoices)
    .toSorted((one, other) => (one.slug < other.slug ? -1 : 1));
}

function listPlaceFilters(name: string): PlaceFilter[] {
  if (name === unstatedPlace.slug) return [unstatedPlace];
  const place = findPlaceBySlug(name) ?? findPlaceBySlug(name.toLowerCase());
  if (place) return [toPlaceFilter(place)];
  const key = toPlaceKey(name);
  const set = setsByKey.get(key);
  if (set) return [toSetFilter(set)];
  const [named] = placesByKey.get(key) ?? [];
  if (named) return [toPlaceFilter(named)];
  const { places, unknown, conflicts } = parsePlaceList(name);
  return unknown.length + conflicts.length === 0 ? places.map(toPlaceFilter) : [];
}

function toPlaceFilter({ id, slug, name }: Place): PlaceFilter {
  return { slug, name, ids: [id] };
}

/** A set's address has the first of its names, such as "ncr". */
function toSetFilter(places: readonly Place[]): PlaceFilter {
  const ids = places.map(({ id }) => id);
  const isSame = (others: readonly Place[]) => others.every(({ id }, index) => id === ids[index]);
  const [key] = [...setsByKey].find(([, others]) => isSame(others))!;
  return { slug: key.replaceAll(" ", "-"), name: key.toUpperCase(), ids };
}

/** Listings that state no place. */
export const unstatedPlace: PlaceFilter = { slug: "unstated", name: "Place not stated", ids: [] };

/** Lists the facets of work in a place, or of remote work open to all of it or to a place within it. */
export function listPlaceFacets({ ids }: Pick<PlaceFilter, "ids">): number[] {
  if (ids.length === 0) return [facets.unstated.place];
  const areas = [...new Set(ids.flatMap(listPlaceAncestors))];
  return [
    ...ids.map(facets.workPlace),
    ...[anywhere, ...areas].map(facets.applicantPlace),
    ...ids.map(facets.applicantPlaceWithin),
  ];
}

const toValues = (list: readonly { value: string }[]) => list.map(({ value }) => value);

const knownValues: Record<string, readonly string[]> = {
  type: jobTypes,
  discipline: [...toValues(disciplines), "unstated"],
  mode: [...toValues(workModes), "unstated"],
  skill: [...toValues(skills), "unstated"],
  pay: [...toValues(payLevels), "unstated", "other"],
  sort: ["newest", "pay"],
};

/** The filters whose first value counts. */
const singleFilters = new Set(["type", "experience", "pay", "sort"]);
const checkedFilters = [
  "type",
  "discipline",
  "mode",
  "place",
  "skill",
  "experience",
  "pay",
  "sort",
];

function listIgnoredValues(
  params: URLSearchParams,
  isPlace: (name: string) => boolean,
): IgnoredValue[] {
  return checkedFilters.flatMap((filter) => {
    const all = new Set(params.getAll(filter).map(cleanFilterName).filter(Boolean));
    const given = singleFilters.has(filter) ? [...all].slice(0, 1) : [...all];
    let accepted = 0;
    return given.flatMap((value): IgnoredValue[] => {
      const isKnown = filter === "place" ? isPlace(value) : isKnownValue(filter, value);
      if (!isKnown) return [{ filter, value, reason: "unknown" }];
      accepted++;
      return accepted > maxChoices ? [{ filter, value, reason: "too many" }] : [];
    });
  });
}

function isKnownValue(filter: string, value: string): boolean {
  if (filter !== "experience") return knownValues[filter]!.includes(value);
  return parseBoardQuery(new URLSearchParams({ experience: value })).experience !== null;
}

/** The names of filters in messages. */
const filterNouns: Record<string, string> = {
  type: "job type",
  discipline: "discipline",
  mode: "work mode",
  place: "place",
  skill: "skill",
  experience: "number of years",
  pay: "pay level",
  sort: "order",
};

const maxNamed = 3;
const longestNamed = 40;

/**
 * Describes the ignored values of an address: "We ignored “foo” in the address: it isn't a known place." Null if there
 * are none.
 */
export function describeIgnoredValues(ignored: readonly IgnoredValue[]): string | null {
  const unknown = ignored.filter(({ reason }) => reason === "unknown");
  const named = unknown.length > 0 ? unknown : ignored;
  const [first] = named;
  if (!first) return null;
  const isOne = named.length === 1;
  const noun = filterNouns[first.filter]!;
  const isSame = named.every(({ filter }) => filter === first.filter);
  const subject = isOne
    ? `it isn't a known ${noun}`
    : `they aren't known ${isSame ? noun : "filter"}s`;
  const reason = unknown.length > 0 ? subject : `each filter takes at most ${maxChoices} values`;
  return `We ignored ${formatQuotedValues(named)} in the address: ${reason}.`;
}

function formatQuotedValues(named: readonly IgnoredValue[]): string {
  const shown = named
    .slice(0, maxNamed)
    .map(({ value }) => `“${truncateText(value, longestNamed)}”`);
  const rest = named.length - shown.length;
  const parts = rest > 0 ? [...shown, `${rest} more`] : shown;
  return parts.length === 1 ? parts[0]! : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
}

/**
 * Returns the key of a cached page, which is the same for all addresses of a query. Null if the page names ignored
 * values, since anyone could make up any number of them.
 */
export function getBoardCacheKey(params: URLSearchParams): string | null {
  const { query, ignored } = parseCheckedQuery(params);
  return ignored.length > 0 ? null : buildBoardAddress(query);
}
