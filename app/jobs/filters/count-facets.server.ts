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

/** The jobs with each facet among the jobs that match the other filters. */
export type FacetCounts = {
  groups: Record<FilterName, GroupCounts>;
  /** The matches of all filters; null if every filter has a choice, so that they weren't counted. */
  total: Count | null;
};

export type GroupCounts = {
  /** True if more jobs match than were counted, so that each number is a minimum. */
  isMore: boolean;
  /** By facet. For places, by the id of a city, or the slug of a chosen place or of the jobs without one. */
  jobs: Map<number | string, number>;
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
};

/** Jobs that match the same other filters, for one filter with a choice or all filters without one. */
type Base = { number: number; condition: SQL | undefined; groups: readonly FilterName[] };

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
  const { rows } = await db.execute<{ base: number; name: number; jobs: number }>(
    buildCounts(bases, places, max),
  );
  const countTotal = (number: number): Count => {
    const total = rows.find(({ base, name }) => base === number && name === totalName)?.jobs ?? 0;
    return { counted: Math.min(total, max), isMore: total > max };
  };
  const groups = Object.fromEntries(
    bases.flatMap((base) => {
      const found = rows.filter((row) => row.base === base.number);
      const { isMore } = countTotal(base.number);
      return base.groups.map((group) => [
        group,
        { isMore, jobs: selectCounts(found, group, places) },
      ]);
    }),
  );
  const whole = bases.find(({ condition }) => condition === filter.condition);
  return {
    groups: groups as FacetCounts["groups"],
    total: whole ? countTotal(whole.number) : null,
  };
}

/** The names of rows that aren't facets: the total, cities by their id, and chosen places by their position. */
const totalName = 0;
const cityName = 400_000_000;

/** Lists the chosen places, and the jobs without a place, which they leave out. */
function listCountedPlaces({ places }: JobFilter): readonly FilterPlace[] {
  return places.length === 0 || places.includes(unstatedPlace)
    ? places
    : [...places, unstatedPlace];
}

function selectCounts(
  rows: { name: number; jobs: number }[],
  group: FilterName,
  places: readonly FilterPlace[],
): GroupCounts["jobs"] {
  if (group !== "place") {
    const [first, last] = ranges[group];
    const inRange = rows.filter(({ name }) => name >= first && name <= last);
    return new Map(inRange.map((row) => [row.name, row.jobs]));
  }
  const cities = rows.filter(({ name }) => name > cityName);
  const chosen = rows.filter(({ name }) => name < 0);
  return new Map<number | string, number>([
    ...cities.map((row) => [row.name - cityName, row.jobs] as const),
    ...chosen.map((row) => [places[-row.name - 1]!.slug, row.jobs] as const),
  ]);
}

/** Filters without a choice have all filters in common, so that one read of the matches serves them all. */
function listBases({ query, places, condition }: JobFilter): Base[] {
  const open = filterGroups.filter((group) => listChosen(query, group).length === 0);
  const chosen = filterGroups.filter((group) => !open.includes(group));
  return [
    ...(open.length > 0 ? [{ condition, groups: open }] : []),
    ...chosen.map((group) => ({
      condition: buildFilterCondition(
        { ...query, [group]: emptyBoardQuery[group] },
        group === "place" ? [] : places,
      ),
      groups: [group],
    })),
  ].map((base, number) => ({ ...base, number }));
}

function buildCounts(bases: Base[], chosen: readonly FilterPlace[], max: number): SQL {
  const matched = bases.map(
    ({ number, condition }) => sql`(
    select ${number}::int as base, ${jobs.facets} as facets,
      row_number() over (order by ${jobs.postedAt} desc, ${jobs.id} desc) as place
    from ${jobs} where ${and(isOpen, condition)}
    order by ${desc(jobs.postedAt)}, ${desc(jobs.id)} limit ${max + 1})`,
  );
  const wanted = bases.flatMap(({ number, groups }) =>
    groups
      .filter((group) => group !== "place")
      .map(
        (group) =>
          sql`base = ${number} and facet between ${ranges[group][0]} and ${ranges[group][1]}`,
      ),
  );
  const base = bases.find(({ groups }) => groups.includes("place"))!.number;
  return sql`
    with matched as materialized (${sql.join(matched, sql` union all `)}),
    counted as (select * from matched where place <= ${max}),
    cities as (
      select ${cityName} + city.id as name,
        array_remove(array[${facets.workPlace(0)} + city.id, ${facets.applicantPlaceWithin(0)} + city.id,
          ${facets.applicantPlace(anywhere)}, ${facets.applicantPlace(0)} + city.id,
          ${facets.applicantPlace(0)} + area.id, ${facets.applicantPlace(0)} + area.parent], null) as facets
      from (
        select facet, count(*) as jobs from counted, unnest(facets) as facet
        where base = ${base} and facet between ${facets.workPlace(0)} and ${facets.applicantPlace(0) - 1}
        group by facet
      ) as found
      join places as city on city.id = found.facet - ${facets.workPlace(0)} and city.kind = 'city'
      left join places as area on area.id = city.parent
      order by found.jobs desc, city.id limit ${maxCities}
    ),
    chosen (name, facets) as (${buildRows(chosen.map(listPlaceFacets))})
    select base, ${totalName}::int as name, count(*)::int as jobs from matched group by base
    union all
    select base, facet, count(*)::int from counted, unnest(facets) as facet
    where ${sql.join(wanted, sql` or `)} group by base, facet
    union all
    select ${base}::int, choice.name, (count(*) filter (where counted.facets && choice.facets))::int
    from counted, (select * from cities union all select * from chosen) as choice
    where base = ${base} group by choice.name`;
}

/** The rows of the chosen places: -1, -2, … */
function buildRows(choices: number[][]): SQL {
  if (choices.length === 0) return sql`select 0, '{}'::int[] limit 0`;
  return sql.join(
    choices.map((choice, index) => sql`select ${-index - 1}::int, ${toArray(choice)}`),
    sql` union all `,
  );
}
