import type { Database } from "../../platform/database.server.ts";
import { type Count, countLabel } from "../../platform/lists/lists.ts";
import { disciplines, facets, skills, workModes } from "../details.ts";
import { payLevels } from "../detail-limits.ts";
import { countJobs } from "../find.server.ts";
import { getPlace } from "../places/find-places.server.ts";
import { type BoardCounts, findBoardCounts } from "./board-counts.server.ts";
import { type ChosenFilters, type FilterName, filterGroups, listChosen } from "./board-query.ts";
import {
  countFacets,
  type FacetCounts,
  type FilterCounts,
  maxCities,
  maxCounted,
} from "./count-facets.server.ts";
import { formatFilterValue } from "./filter-labels.server.ts";
import type { JobFilter } from "./job-filter.server.ts";
import type { BoardLink } from "./named-filter.server.ts";

/** A value to choose, with the number of jobs that it finds: "212", or "212+" for at least that many. */
type FilterOption = { value: string; label: string; jobs: string };

export type FilterOptions = Record<FilterName, FilterOption[]>;

const maxSkills = 15;
/** The years of experience to choose from. */
const experienceSteps = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 25, 30];

/**
 * Lists the values of each filter with the numbers of jobs that they find.
 *
 * @returns also links to the jobs that the filters leave out since they don't state what they ask for, and the number
 *   of jobs that match all filters
 */
export async function listFilterOptions(
  db: Database,
  filter: JobFilter,
): Promise<{ options: FilterOptions; leftOut: BoardLink[]; total: Count }> {
  const { query, places } = filter;
  const { byFilter, total } = await countMatches(db, filter);
  const options = filterGroups.map((group) => {
    const values = countValues(group, byFilter[group].counts, listChosen(query, group));
    const listed = values.map(({ value, count }) => ({
      value,
      label: formatFilterValue(group, value, places),
      jobs: countLabel({ counted: count, isMore: byFilter[group].isMore }),
    }));
    return [group, listed] as const;
  });
  return {
    options: Object.fromEntries(options) as FilterOptions,
    leftOut: listLeftOut(byFilter, query),
    total: total ?? (await countJobs(db, filter)),
  };
}

/** Without filters, the board shows exact counts of all jobs if they are too many to count for each page. */
async function countMatches(db: Database, filter: JobFilter): Promise<FacetCounts> {
  const all = filter.condition ? null : await findBoardCounts(db);
  return all && all.open > maxCounted ? toFacetCounts(all) : countFacets(db, filter);
}

function toFacetCounts({ facets: byFacet, places }: BoardCounts): FacetCounts {
  const cities = [...places]
    .filter(([id]) => getPlace(id).kind === "city")
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, maxCities);
  const byFilter = Object.fromEntries(
    filterGroups.map((group) => {
      const counts = group === "place" ? new Map(cities) : byFacet;
      return [group, { isMore: false, counts }];
    }),
  ) as FacetCounts["byFilter"];
  return { byFilter, total: { counted: maxCounted, isMore: true } };
}

type Counted = { value: string; count: number };

function countValues(group: FilterName, counts: FilterCounts["counts"], chosen: readonly string[]) {
  if (group === "place") return listPlaceValues(counts, chosen);
  const values = listAllValues(group, chosen).map(([value, facet]) => ({
    value,
    count: counts.get(facet) ?? 0,
  }));
  if (group === "discipline" || group === "mode" || group === "task") return values;
  const withJobs = values.filter(({ value, count }) => count > 0 || chosen.includes(value));
  return group === "skill" ? selectMostFrequent(withJobs, chosen) : withJobs;
}

function listAllValues(group: Exclude<FilterName, "place">, chosen: readonly string[]) {
  const lists: Record<typeof group, () => (readonly [value: string, facet: number])[]> = {
    discipline: () => disciplines.map(({ value }) => [value, facets.discipline(value)]),
    mode: () => workModes.map(({ value }) => [value, facets.workMode(value)]),
    skill: () => skills.map(({ id, value }) => [value, facets.skill(id)]),
    experience: () => listYears(chosen).map((years) => [`${years}`, facets.experience(years)]),
    pay: () => payLevels.map(({ value }) => [value, facets.pay(value)]),
    task: () => [["no-unpaid", facets.noUnpaidTask]],
  };
  const others = { unstated: facets.unstated[group], other: facets.payNotComparable };
  return [...lists[group](), ...Object.entries(others).filter(([value]) => chosen.includes(value))];
}

function listYears(chosen: readonly string[]): number[] {
  const others = chosen.map(Number).filter((years) => years >= 0);
  return [...new Set([...experienceSteps, ...others])].toSorted((one, other) => one - other);
}

function selectMostFrequent(values: Counted[], chosen: readonly string[]): Counted[] {
  const sorted = values.toSorted((one, other) => other.count - one.count);
  return sorted.filter(({ value }, index) => index < maxSkills || chosen.includes(value));
}

/** Lists the chosen places and the most frequent cities. */
function listPlaceValues(counts: FilterCounts["counts"], chosen: readonly string[]): Counted[] {
  const cities = [...counts].flatMap(([id, count]): [string, number][] =>
    typeof id === "number" ? [[getPlace(id).slug, count]] : [],
  );
  const all = new Map([
    ...cities.filter(([, count]) => count > 0),
    ...chosen.map((slug): [string, number] => [slug, counts.get(slug) ?? 0]),
  ]);
  return [...all]
    .map(([value, count]) => ({ value, count }))
    .toSorted((one, other) => other.count - one.count);
}

/** Links to the jobs that each filter leaves out since they don't state what it asks for. */
function listLeftOut(byFilter: FacetCounts["byFilter"], query: ChosenFilters): BoardLink[] {
  return filterGroups.flatMap((group): BoardLink[] => {
    const chosen = listChosen(query, group);
    if (chosen.length === 0 || chosen.includes("unstated") || chosen.includes("other")) return [];
    const { counts, isMore } = byFilter[group];
    const link = (value: string, counted = 0): BoardLink[] => {
      const label = describeLeftOut(group, value, { counted, isMore });
      const change = { [group]: Array.isArray(query[group]) ? [value] : value };
      return counted > 0 ? [{ label, change }] : [];
    };
    return [
      ...link("unstated", counts.get(group === "place" ? "unstated" : facets.unstated[group])),
      ...(group === "pay" ? link("other", counts.get(facets.payNotComparable)) : []),
    ];
  });
}

const unstatedNouns: Record<FilterName, string> = {
  discipline: "a discipline",
  mode: "a work mode",
  place: "a place",
  skill: "skills",
  experience: "experience",
  pay: "pay",
  task: "if there is a test task",
};

/** "84 more don't state pay" */
function describeLeftOut(group: FilterName, value: string, count: Count): string {
  const isOne = count.counted === 1 && !count.isMore;
  const jobs = countLabel(count);
  if (value === "unstated")
    return `${jobs} more ${isOne ? "doesn't" : "don't"} state ${unstatedNouns[group]}`;
  return `${jobs} more ${isOne ? "states" : "state"} pay per project or in another currency`;
}
