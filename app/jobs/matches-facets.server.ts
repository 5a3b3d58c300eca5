import { and, type SQL, sql } from "drizzle-orm";
import type { BoardFilters, ChoiceGroup } from "./board-query.ts";
import { disciplines, facets, skills, workModes } from "./details.ts";
import { listPlaceFacets, type SomeFilters } from "./filter-values.server.ts";
import { jobs } from "./tables.server.ts";

/**
 * A SQL condition for all filters except search; undefined without any. The board, its counts and feeds all use it.
 * Unknown values are ignored.
 */
export function matchesFacets({ type = null, ...filters }: SomeFilters): SQL | undefined {
  const groups = listFacetGroups(filters);
  // The type alone has an index of its own.
  if (groups.length === 0) return undefined;
  if (type) groups.push([facets.type(type)]);
  // One lookup of all required numbers is faster than one for each.
  const required = groups.flatMap((group) => (group.length === 1 ? group : []));
  return and(
    required.length > 0 ? sql`${jobs.facets} @> ${toArray(required)}` : undefined,
    ...groups
      .filter((group) => group.length > 1)
      .map((group) => sql`${jobs.facets} && ${toArray(group)}`),
  );
}

/** Lists the numbers of each filter. A job must have one number of each. */
function listFacetGroups(filters: SomeFilters): number[][] {
  const { discipline = [], mode = [], places = [], skill = [] } = filters;
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
    listExperienceFacets(filters.experience ?? null),
    listPayFacets(filters.pay ?? null),
  ];
  return groups.filter((group) => group.length > 0).map((group) => [...new Set(group)]);
}

function selectValues<One extends { value: string }>(
  known: readonly One[],
  chosen: readonly string[],
): One[] {
  return known.filter(({ value }) => chosen.includes(value));
}

function listUnstated(group: ChoiceGroup, chosen: readonly string[]): number[] {
  return chosen.includes("unstated") ? [facets.unstated[group]] : [];
}

function listExperienceFacets(experience: BoardFilters["experience"]): number[] {
  if (experience === null) return [];
  return [experience === "unstated" ? facets.unstated.experience : facets.experience(experience)];
}

function listPayFacets(pay: BoardFilters["pay"]): number[] {
  if (pay === null) return [];
  if (pay === "unstated") return [facets.unstated.pay];
  return [pay === "other" ? facets.payNotComparable : facets.pay(pay)];
}

/** An array of integers for a SQL query. */
export function toArray(numbers: readonly number[]): SQL {
  return sql`${`{${numbers.join(",")}}`}::int[]`;
}
