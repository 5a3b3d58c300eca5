import type { SQL } from "drizzle-orm";
import { disciplines, skills, workModes } from "../details.ts";
import { payLevels } from "../detail-limits.ts";
import { jobTypes } from "../rules.ts";
import {
  type BoardQuery,
  boardSorts,
  buildBoardAddress,
  cleanFilterName,
  emptyBoardQuery,
  maxChoices,
  parseBoardQuery,
  taskFilters,
} from "./board-query.ts";
import { buildFilterCondition } from "./filter-condition.server.ts";
import { type FilterLabel, type IgnoredValue, listFilterLabels } from "./filter-labels.server.ts";
import {
  type FilterPlace,
  findFilterPlaces,
  findNamedPlaces,
  joinPlaces,
} from "./filter-places.server.ts";

/** A filter of the board with all that follows from it, so that a request finds its places once. */
export type JobFilter = {
  /** The known values, with the slugs of places. */
  query: BoardQuery;
  places: readonly FilterPlace[];
  labels: readonly FilterLabel[];
  /** The condition that matching jobs meet; undefined if all match. */
  condition: SQL | undefined;
  /** The values of the address that the filter leaves out. */
  ignored: readonly IgnoredValue[];
  /**
   * The key of the cached page, which is the address that all addresses of a query share. Null if the page names
   * ignored values, since anyone could make up any number of them.
   */
  cacheKey: string | null;
};

const recent = new Map<string, JobFilter>();
const maxRecent = 100;

/**
 * Parses the board's address. The page cache and the loader of a request both need its filter, so the last ones are
 * kept.
 */
export function parseJobFilter(params: URLSearchParams): JobFilter {
  const key = params.toString();
  const cached = recent.get(key);
  if (cached) return cached;
  const query = parseBoardQuery(params);
  for (const group of ["discipline", "mode", "skill"] as const)
    query[group] = query[group].filter((value) => isKnownValue(group, value));
  const named = new Map(
    params.getAll("place").map((text) => {
      const name = cleanFilterName(text);
      return [name, findNamedPlaces(name)];
    }),
  );
  const places = query.place.flatMap((name) => named.get(name) ?? []);
  const isPlace = (name: string) => (named.get(name) ?? []).length > 0;
  const filter = resolveFilter(query, joinPlaces(places), listIgnoredValues(params, isPlace));
  remember(key, filter);
  // The loader gets the shared address.
  if (filter.cacheKey !== null) remember(filter.cacheKey.slice("/jobs?".length), filter);
  return filter;
}

function remember(key: string, filter: JobFilter): void {
  recent.set(key, filter);
  const [oldest] = recent.keys();
  if (recent.size > maxRecent) recent.delete(oldest!);
}

/** The filters whose first value counts. */
const singleFilters = new Set(["type", "experience", "pay", "task", "sort"]);
const checkedFilters = [
  "type",
  "discipline",
  "mode",
  "place",
  "skill",
  "experience",
  "pay",
  "task",
  "sort",
];

/** @param isPlace checks a cleaned name of a place */
function listIgnoredValues(params: URLSearchParams, isPlace: (name: string) => boolean) {
  return checkedFilters.flatMap((filter) => {
    const all = new Set(params.getAll(filter).map(cleanFilterName).filter(Boolean));
    const values = singleFilters.has(filter) ? [...all].slice(0, 1) : [...all];
    let accepted = 0;
    return values.flatMap((value): IgnoredValue[] => {
      const isKnown = filter === "place" ? isPlace(value) : isKnownValue(filter, value);
      if (!isKnown) return [{ filter, value, reason: "unknown" }];
      accepted++;
      return accepted > maxChoices ? [{ filter, value, reason: "too many" }] : [];
    });
  });
}

/** Checks a value of a filter other than a place. */
function isKnownValue(filter: string, value: string): boolean {
  if (filter !== "experience") return knownValues[filter]!.includes(value);
  return parseBoardQuery(new URLSearchParams({ experience: value })).experience !== null;
}

const toValues = (list: readonly { value: string }[]) => list.map(({ value }) => value);

const knownValues: Record<string, readonly string[]> = {
  type: jobTypes,
  discipline: [...toValues(disciplines), "unstated"],
  mode: [...toValues(workModes), "unstated"],
  skill: [...toValues(skills), "unstated"],
  pay: [...toValues(payLevels), "unstated", "other"],
  task: taskFilters,
  sort: boardSorts,
};

/** Builds a filter of known values and names of places. Unknown names are left out. */
export function buildJobFilter(part: Partial<BoardQuery>): JobFilter {
  return resolveFilter({ ...emptyBoardQuery, ...part }, findFilterPlaces(part.place ?? []), []);
}

function resolveFilter(
  cleaned: BoardQuery,
  places: readonly FilterPlace[],
  ignored: readonly IgnoredValue[],
): JobFilter {
  const query = { ...cleaned, place: places.map(({ slug }) => slug) };
  return {
    query,
    places,
    labels: listFilterLabels(query, places),
    condition: buildFilterCondition(query, places),
    ignored,
    cacheKey: ignored.length > 0 ? null : buildBoardAddress(query),
  };
}
