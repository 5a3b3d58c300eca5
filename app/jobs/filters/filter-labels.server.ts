import { disciplines, skills, workModes } from "../details.ts";
import { findPlaceBySlug } from "../places/find-places.server.ts";
import { parsePlaceList } from "../places/parse-places.server.ts";
import { truncateText } from "../rules.ts";
import {
  type ChosenFilters,
  type FilterName,
  filterGroups,
  listChosen,
  maxChoices,
} from "./board-query.ts";
import { type FilterPlace, unstatedPlace } from "./filter-places.server.ts";

/** A chosen value of a filter, with its label. */
export type FilterLabel = { group: FilterName; value: string; label: string };

/** Lists the labels of all chosen values: "UX design", "Remote", "Pune". */
export function listFilterLabels(
  filters: ChosenFilters,
  places: readonly FilterPlace[],
): FilterLabel[] {
  return filterGroups.flatMap((group) =>
    listChosen(filters, group).map((value) => ({
      group,
      value,
      label: formatFilterValue(group, value, places),
    })),
  );
}

/** Lists the parts of a filter in words: "Internship", "UX design", "Pune", "“figma”". */
export function listFilterParts({
  query: { search, type },
  labels,
}: {
  query: Pick<ChosenFilters, "search" | "type">;
  labels: readonly FilterLabel[];
}): string[] {
  return [type ?? [], labels.map(({ label }) => label), search ? `“${search}”` : []].flat();
}

/** Formats a value of a filter, or the slug of a city, so that it is clear without the filter's name. */
export function formatFilterValue(
  group: FilterName,
  value: string,
  places: readonly FilterPlace[],
): string {
  if (value === "unstated") return unstatedLabels[group];
  if (group === "experience") return formatExperienceValue(value);
  if (group === "pay") return formatPayValue(value);
  if (group === "task") return "No unpaid test task";
  if (group === "place")
    return (places.find(({ slug }) => slug === value) ?? findPlaceBySlug(value))?.name ?? value;
  const values: readonly { value: string; label: string }[] = labelled[group];
  return values.find((one) => one.value === value)?.label ?? value;
}

const unstatedLabels: Record<FilterName, string> = {
  discipline: "Discipline not stated",
  mode: "Work mode not stated",
  place: unstatedPlace.name,
  skill: "Skills not stated",
  experience: "Experience not stated",
  pay: "Pay not stated",
  task: "Test task not stated",
};

const labelled = { discipline: disciplines, mode: workModes, skill: skills };

function formatExperienceValue(value: string): string {
  if (value === "0") return "No experience";
  return value === "1" ? "1 year of experience" : `${value} years of experience`;
}

function formatPayValue(value: string): string {
  return value === "other" ? "Pay per project or in another currency" : `₹${value} LPA or more`;
}

/** A value of an address that the filter leaves out. */
export type IgnoredValue = { filter: string; value: string; reason: "unknown" | "too many" };

/** The names of filters in messages. */
const filterNouns: Record<string, string> = {
  type: "job type",
  discipline: "discipline",
  mode: "work mode",
  place: "place",
  skill: "skill",
  experience: "number of years",
  pay: "pay level",
  task: "test task",
  sort: "order",
};

const maxNamed = 3;
const maxValueLength = 40;

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
  const [conflict] = isOne && first.filter === "place" ? parsePlaceList(first.value).conflicts : [];
  const subject = conflict
    ? `“${conflict[0]}” and “${conflict[1]}” don't fit together`
    : isOne
      ? `it isn't a known ${noun}`
      : `they aren't known ${isSame ? noun : "filter"}s`;
  const reason = unknown.length > 0 ? subject : `each filter takes at most ${maxChoices} values`;
  return `We ignored ${formatQuotedValues(named)} in the address: ${reason}.`;
}

function formatQuotedValues(named: readonly IgnoredValue[]): string {
  const quoted = named
    .slice(0, maxNamed)
    .map(({ value }) => `“${truncateText(value, maxValueLength)}”`);
  const rest = named.length - quoted.length;
  const parts = rest > 0 ? [...quoted, `${rest} more`] : quoted;
  return parts.length === 1 ? parts[0]! : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
}
