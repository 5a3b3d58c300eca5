import { and, desc, type SQL, sql } from "drizzle-orm";
import type { Database } from "../../platform/database.server.ts";
import type { Count } from "../../platform/lists/lists.ts";
import { facets } from "../details.ts";
import { isOpen } from "../find.server.ts";
import { anywhere } from "../places/rules.ts";
import { jobs } from "../tables.server.ts";
import { emptyBoardQuery, type FilterName, filterGroups, listChosen } from "./board-query.ts";
import { buildFilterCondition, toArray } from "./filter-condition.server.ts";
import { type FilterPlace, listPlaceFacets, unstatedPlace } from "./filter-places.server.ts";
import type { JobFilter } from "./job-filter.server.ts";

/**
 * The numbers of jobs beside the values to choose from:
 *
 * - A facet is the number in `jobs.facets` for a value of a filter.
 * - A count is a number of jobs.
 * - A key says what was counted: a facet, a city, a chosen place, or the total.
 * - A base is the jobs that match all filters but one. Its counts say what a value of that filter would find.
 */
export type FacetCounts = {
  byFilter: Record<FilterName, FilterCounts>;
  /** The matches of all filters; null if every filter has a choice, so that they weren't counted. */
  total: Count | null;
};

export type FilterCounts = {
  /** True if more jobs match than were counted, so that each count is a minimum. */
  isMore: boolean;
  /** The counts by facet; for places, by the id of a city, or the slug of a chosen place or of the jobs without one. */
  counts: Map<number | string, number>;
};

/**
 * Only the newest matches are counted, since counting all of them would take longer than the list. A search reads the
 * text of each job, so that it counts fewer.
 */
export const maxCounted = 1_000;
const maxCountedOfSearch = 100;
/** The number of cities to choose from. */
export const maxCities = 12;

/** The first and last facet of each filter. */
const ranges: Record<Exclude<FilterName, "place">, [number, number]> = {
  discipline: [facets.discipline("product"), facets.unstated.discipline],
  mode: [facets.workMode("on-site"), facets.unstated.mode],
  skill: [facets.skill(1), facets.unstated.skill],
  experience: [facets.experience(0), facets.unstated.experience],
  pay: [facets.pay("1.2"), facets.unstated.pay],
  task: [facets.noUnpaidTask, facets.unstated.task],
};

/** The base of one filter with a choice, or of all filters without one. */
type Base = { id: number; condition: SQL | undefined; filters: readonly FilterName[] };

type KeyCount = { base: number; key: number; count: number };

/**
 * Counts the jobs for each value of each filter, among the newest 1,000 that match all other filters, or 100 of a
 * search.
 *
 * @param max the number of matches to count
 */
export async function countFacets(
  db: Database,
  filter: JobFilter,
  max = filter.query.search ? maxCountedOfSearch : maxCounted,
): Promise<FacetCounts> {
  const bases = listBases(filter);
  const places = listCountedPlaces(filter);
  const { rows } = await db.execute<KeyCount>(buildCounts(bases, places, max));
  const countTotal = (id: number): Count => {
    const total = rows.find(({ base, key }) => base === id && key === totalKey)?.count ?? 0;
    return { counted: Math.min(total, max), isMore: total > max };
  };
  const byFilter = Object.fromEntries(
    bases.flatMap(({ id, filters }) => {
      const ofBase = rows.filter(({ base }) => base === id);
      const { isMore } = countTotal(id);
      return filters.map((name) => [name, { isMore, counts: selectCounts(ofBase, name, places) }]);
    }),
  );
  const all = bases.find(({ condition }) => condition === filter.condition);
  return {
    byFilter: byFilter as FacetCounts["byFilter"],
    total: all ? countTotal(all.id) : null,
  };
}

/** The keys that aren't facets: the total, a city above this, and chosen places: -1, -2, … */
const totalKey = 0;
const keyBeforeCities = 400_000_000;

/** Lists the chosen places, and the jobs without a place, which they leave out. */
function listCountedPlaces({ places }: JobFilter): readonly FilterPlace[] {
  return places.length === 0 || places.includes(unstatedPlace)
    ? places
    : [...places, unstatedPlace];
}

function selectCounts(
  rows: readonly KeyCount[],
  filter: FilterName,
  places: readonly FilterPlace[],
): FilterCounts["counts"] {
  if (filter !== "place") {
    const [first, last] = ranges[filter];
    const inRange = rows.filter(({ key }) => key >= first && key <= last);
    return new Map(inRange.map(({ key, count }) => [key, count]));
  }
  const cities = rows.filter(({ key }) => key > keyBeforeCities);
  const chosen = rows.filter(({ key }) => key < 0);
  return new Map<number | string, number>([
    ...cities.map(({ key, count }) => [key - keyBeforeCities, count] as const),
    ...chosen.map(({ key, count }) => [places[-key - 1]!.slug, count] as const),
  ]);
}

/** Filters without a choice have all filters in common, so that one read of the matches serves them all. */
function listBases({ query, places, condition }: JobFilter): Base[] {
  const open = filterGroups.filter((filter) => listChosen(query, filter).length === 0);
  const chosen = filterGroups.filter((filter) => !open.includes(filter));
  return [
    ...(open.length > 0 ? [{ condition, filters: open }] : []),
    ...chosen.map((filter) => ({
      condition: buildFilterCondition(
        { ...query, [filter]: emptyBoardQuery[filter] },
        filter === "place" ? [] : places,
      ),
      filters: [filter],
    })),
  ].map((base, id) => ({ ...base, id }));
}

function buildCounts(bases: Base[], places: readonly FilterPlace[], max: number): SQL {
  const matched = bases.map(
    ({ id, condition }) => sql`(
    select ${id}::int as base, ${jobs.facets} as facets,
      row_number() over (order by ${jobs.postedAt} desc, ${jobs.id} desc) as position
    from ${jobs} where ${and(isOpen, condition)}
    order by ${desc(jobs.postedAt)}, ${desc(jobs.id)} limit ${max + 1})`,
  );
  const isCountedFacet = bases.flatMap(({ id, filters }) =>
    filters
      .filter((filter) => filter !== "place")
      .map(
        (filter) =>
          sql`base = ${id} and facet between ${ranges[filter][0]} and ${ranges[filter][1]}`,
      ),
  );
  const placeBase = bases.find(({ filters }) => filters.includes("place"))!.id;
  return sql`
    with matched as materialized (${sql.join(matched, sql` union all `)}),
    counted as (select * from matched where position <= ${max}),
    cities as (
      select ${keyBeforeCities} + city.id as key,
        array_remove(array[${facets.workPlace(0)} + city.id, ${facets.applicantPlaceWithin(0)} + city.id,
          ${facets.applicantPlace(anywhere)}, ${facets.applicantPlace(0)} + city.id,
          ${facets.applicantPlace(0)} + area.id, ${facets.applicantPlace(0)} + area.parent], null) as facets
      from (
        select facet, count(*) as count from counted, unnest(facets) as facet
        where base = ${placeBase} and facet between ${facets.workPlace(0)} and ${facets.applicantPlace(0) - 1}
        group by facet
      ) as work_place
      join places as city on city.id = work_place.facet - ${facets.workPlace(0)} and city.kind = 'city'
      left join places as area on area.id = city.parent
      order by work_place.count desc, city.id limit ${maxCities}
    ),
    chosen_places (key, facets) as (${buildRows(places.map(listPlaceFacets))})
    select base, ${totalKey}::int as key, count(*)::int as count from matched group by base
    union all
    select base, facet, count(*)::int from counted, unnest(facets) as facet
    where ${sql.join(isCountedFacet, sql` or `)} group by base, facet
    union all
    select ${placeBase}::int, place.key, (count(*) filter (where counted.facets && place.facets))::int
    from counted, (select * from cities union all select * from chosen_places) as place
    where base = ${placeBase} group by place.key`;
}

/** The rows of the chosen places: -1, -2, … */
function buildRows(facetsOfPlaces: number[][]): SQL {
  if (facetsOfPlaces.length === 0) return sql`select 0, '{}'::int[] limit 0`;
  return sql.join(
    facetsOfPlaces.map((numbers, index) => sql`select ${-index - 1}::int, ${toArray(numbers)}`),
    sql` union all `,
  );
}
