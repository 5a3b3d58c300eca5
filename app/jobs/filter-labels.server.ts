import { type BoardFilters, type FilterGroup, filterGroups, listChosen } from "./board-query.ts";
import { disciplines, skills, workModes } from "./details.ts";
import { findPlaceFilters } from "./filter-values.server.ts";

/** A chosen value of a filter, with its label. */
export type FilterLabel = { group: FilterGroup; value: string; label: string };

/** Lists the labels of all chosen values: "UX design", "Remote", "Pune". */
export function listFilterLabels(query: BoardFilters): FilterLabel[] {
  return filterGroups.flatMap((group) =>
    listChosen(query, group).map((value) => ({
      group,
      value,
      label: formatFilterValue(group, value),
    })),
  );
}

/** Formats a value of a filter so that it is clear without the filter's name. */
export function formatFilterValue(group: FilterGroup, value: string): string {
  if (group === "experience") return formatExperienceValue(value);
  if (group === "pay") return formatPayValue(value);
  if (group === "place") return findPlaceFilters([value])[0]?.name ?? value;
  const values: readonly { value: string; label: string }[] = labelled[group];
  return values.find((one) => one.value === value)?.label ?? value;
}

const labelled = { discipline: disciplines, mode: workModes, skill: skills };

function formatExperienceValue(value: string): string {
  if (value === "unstated") return "Experience not stated";
  if (value === "0") return "No experience";
  return value === "1" ? "1 year of experience" : `${value} years of experience`;
}

function formatPayValue(value: string): string {
  if (value === "unstated") return "Pay not stated";
  return value === "other" ? "Pay per project or in another currency" : `₹${value} LPA or more`;
}
