import { type FilterGroup, filterGroups, listChosen } from "./board-query.ts";
import { disciplines, skills, workModes } from "./details.ts";
import { type JobFilter, unstatedPlace } from "./filter-values.server.ts";
import { findPlaceBySlug } from "./places/find-places.server.ts";

/** A chosen value of a filter, with its label. */
export type FilterLabel = { group: FilterGroup; value: string; label: string };

/** Lists the labels of all chosen values: "UX design", "Remote", "Pune". */
export function listFilterLabels(filter: JobFilter): FilterLabel[] {
  return filterGroups.flatMap((group) =>
    listChosen(filter, group).map((value) => ({
      group,
      value,
      label: formatFilterValue(group, value, filter),
    })),
  );
}

/** Formats a value of a filter, or the slug of a city, so that it is clear without the filter's name. */
export function formatFilterValue(
  group: FilterGroup,
  value: string,
  { places }: Pick<JobFilter, "places">,
): string {
  if (value === "unstated") return unstatedLabels[group];
  if (group === "experience") return formatExperienceValue(value);
  if (group === "pay") return formatPayValue(value);
  if (group === "place")
    return (places.find(({ slug }) => slug === value) ?? findPlaceBySlug(value))?.name ?? value;
  const values: readonly { value: string; label: string }[] = labelled[group];
  return values.find((one) => one.value === value)?.label ?? value;
}

const unstatedLabels: Record<FilterGroup, string> = {
  discipline: "Discipline not stated",
  mode: "Work mode not stated",
  place: unstatedPlace.name,
  skill: "Skills not stated",
  experience: "Experience not stated",
  pay: "Pay not stated",
};

const labelled = { discipline: disciplines, mode: workModes, skill: skills };

function formatExperienceValue(value: string): string {
  if (value === "0") return "No experience";
  return value === "1" ? "1 year of experience" : `${value} years of experience`;
}

function formatPayValue(value: string): string {
  return value === "other" ? "Pay per project or in another currency" : `₹${value} LPA or more`;
}
