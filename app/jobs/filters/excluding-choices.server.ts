import { getPlace } from "../places/find-places.server.ts";
import { joinWithOr } from "../rules.ts";
import type { FilterLabel } from "./filter-labels.server.ts";
import type { FilterPlace } from "./filter-places.server.ts";
import type { JobFilter } from "./job-filter.server.ts";
import { findNamedFilter } from "./named-filter.server.ts";

type Filter = Pick<JobFilter, "query" | "places" | "labels">;

/** Internships ask for fewer years. */
const minYearsOfOthers = 5;
/** Internships pay less: this is ₹2.5 lakh a month. */
const minLakhsOfOthers = 30;

/**
 * Finds two choices of a filter that exclude each other: ["Internship", "10 years of experience"], or a search that names
 * another type, work mode or country than the filter. Cities of one country never do, since a listing can name several.
 * Any other word can be in a text, so it excludes nothing.
 */
export function findExcludingChoices(filter: Filter): readonly [string, string] | null {
  return findOtherThanInternship(filter) ?? findOtherThanNamed(filter);
}

function findOtherThanInternship({ query, labels }: Filter) {
  const { type, experience, pay } = query;
  if (type !== "Internship") return null;
  const group =
    Number(experience) >= minYearsOfOthers
      ? "experience"
      : Number(pay) >= minLakhsOfOthers && "pay";
  const other = labels.find((one) => one.group === group);
  return other ? ([type, other.label] as const) : null;
}

function findOtherThanNamed({ query, places, labels }: Filter) {
  const named = findNamedFilter(query.search);
  if (!named) return null;
  const { type, mode = [] } = named.chosen;
  const joinLabels = (group: FilterLabel["group"]) =>
    joinWithOr(labels.flatMap((one) => (one.group === group ? one.label : [])));
  const other =
    (isDisjoint(toList(type), toList(query.type)) && query.type) ||
    (isDisjoint(mode, query.mode) && joinLabels("mode")) ||
    (isDisjoint(listCountryCodes(named.places), listCountryCodes(places)) && joinLabels("place"));
  return other ? ([query.search, other] as const) : null;
}

function toList(value: string | null | undefined): string[] {
  return value ? [value] : [];
}

/** Checks for two choices without a common value. Nothing excludes listings that state nothing. */
function isDisjoint(one: readonly string[], other: readonly string[]): boolean {
  if (one.length === 0 || other.length === 0 || other.includes("unstated")) return false;
  return !one.some((value) => other.includes(value));
}

function listCountryCodes(places: readonly FilterPlace[]): string[] {
  return places.flatMap(({ ids, slug }) =>
    ids.length === 0 ? slug : ids.map((id) => getPlace(id).country),
  );
}
