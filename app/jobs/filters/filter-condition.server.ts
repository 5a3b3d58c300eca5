import { and, eq, type SQL, sql } from "drizzle-orm";
import { containsText } from "../../platform/lists/list.server.ts";
import { disciplines, facets, skills, workModes } from "../details.ts";
import { jobs } from "../tables.server.ts";
import type { ChosenFilters, ChoiceGroup } from "./board-query.ts";
import { type FilterPlace, listPlaceFacets } from "./filter-places.server.ts";

/**
 * Builds the SQL condition of a filter; undefined if all jobs match. The board, its counts, feeds and alerts all use
 * it. A search covers title, company and description: the column `searchText` in tables.server.ts.
 *
 * @param places the places that the filter names
 */
export function buildFilterCondition(
  filters: ChosenFilters,
  places: readonly FilterPlace[],
): SQL | undefined {
  const { search, type } = filters;
  const groups = listFacetGroups(filters, places);
  // The type alone has an index in the order of the board.
  const isAlone = groups.length === 0;
  if (type && !isAlone) groups.push([facets.type(type)]);
  return and(
    type && isAlone ? eq(jobs.jobType, type) : undefined,
    ...matchesGroups(groups),
    search ? containsText(jobs.searchText, search) : undefined,
  );
}

/** One lookup of all required numbers is faster than one for each. */
function matchesGroups(groups: number[][]): SQL[] {
  const required = groups.flatMap((group) => (group.length === 1 ? group : []));
  return [
    ...(required.length > 0 ? [sql`${jobs.facets} @> ${toArray(required)}`] : []),
    ...groups
      .filter((group) => group.length > 1)
      .map((group) => sql`${jobs.facets} && ${toArray(group)}`),
  ];
}

/** Lists the numbers of each filter. A job must have one number of each. */
function listFacetGroups(filters: ChosenFilters, places: readonly FilterPlace[]): number[][] {
  const { discipline, mode, skill, experience, pay, task } = filters;
  const groups = [
    [
      ...selectValues(disciplines, discipline).map(({ value }) => facets.discipline(value)),
      ...listUnstated("discipline", discipline),
    ],
    [
      ...selectValues(workModes, mode).map(({ value }) => facets.workMode(value)),
      ...listUnstated("mode", mode),
    ],
    places.flatMap(listPlaceFacets),
    [
      ...selectValues(skills, skill).map(({ id }) => facets.skill(id)),
      ...listUnstated("skill", skill),
    ],
    listExperienceFacets(experience),
    listPayFacets(pay),
    listTaskFacets(task),
  ];
  return groups.filter((group) => group.length > 0).map((group) => [...new Set(group)]);
}

function selectValues<One extends { value: string }>(
  options: readonly One[],
  chosen: readonly string[],
): One[] {
  return options.filter(({ value }) => chosen.includes(value));
}

function listUnstated(group: ChoiceGroup, chosen: readonly string[]): number[] {
  return chosen.includes("unstated") ? [facets.unstated[group]] : [];
}

function listExperienceFacets(experience: ChosenFilters["experience"]): number[] {
  if (experience === null) return [];
  return [experience === "unstated" ? facets.unstated.experience : facets.experience(experience)];
}

function listPayFacets(pay: ChosenFilters["pay"]): number[] {
  if (pay === null) return [];
  if (pay === "unstated") return [facets.unstated.pay];
  return [pay === "other" ? facets.payNotComparable : facets.pay(pay)];
}

function listTaskFacets(task: ChosenFilters["task"]): number[] {
  if (task === null) return [];
  return [task === "unstated" ? facets.unstated.task : facets.noUnpaidTask];
}

/** An array of integers for a SQL query. */
export function toArray(numbers: readonly number[]): SQL {
  return sql`${`{${numbers.join(",")}}`}::int[]`;
}
