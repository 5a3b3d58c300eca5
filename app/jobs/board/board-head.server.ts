import { type FilterLabel, listFilterParts } from "../filters/filter-labels.server.ts";
import { choiceGroups } from "../filters/board-query.ts";
import type { JobFilter } from "../filters/job-filter.server.ts";
import { minListed } from "../filters/listed-filters.server.ts";
import { boardPage } from "./pages.ts";

/**
 * Builds the head of a page of the board. Search engines list all jobs, one type, or one filter with at least five jobs.
 *
 * @param count the number of jobs on the first page
 */
export function buildBoardHead(filter: JobFilter, count: number) {
  return {
    ...describePage(filter),
    isListed: isListedBoard(filter, count),
    listTitle: describeFilter(filter),
  };
}

function describePage({ query: { type }, labels }: JobFilter) {
  const person = "each with a real person to contact.";
  const [filter] = labels;
  if (filter && filter.value !== "unstated" && labels.length === 1 && !type) {
    const title = describeOneFilter(filter);
    const area = filter.group === "place" ? "" : " across India";
    return { title, description: `${title}${area}, ${person}` };
  }
  if (!type || filter) return { title: boardPage.title, description: boardPage.description };
  return {
    title: `${type} - ${boardPage.title}`,
    description: `${type} design jobs across India, ${person}`,
  };
}

function describeOneFilter({ group, label }: FilterLabel): string {
  if (group === "discipline") return `${label} jobs`;
  if (group === "task") return "Design jobs without an unpaid test task";
  if (group === "mode") return `${label} design jobs`;
  return group === "place" ? `Design jobs in ${label}` : `Design jobs with ${label}`;
}

function isListedBoard({ query, labels }: JobFilter, count: number): boolean {
  const { search, type, sort, after } = query;
  if (search || after || sort !== "newest") return false;
  const [first, ...others] = labels;
  if (!first) return true;
  // Years, pay levels and test tasks overlap too much to be pages of their own.
  const isPage = first.value !== "unstated" && choiceGroups.some((group) => group === first.group);
  return isPage && others.length === 0 && !type && count >= minListed;
}

/**
 * Describes a filtered list: "Design Jobs Board: Internship, Pune, “figma”". Without a filter, returns the board's
 * title.
 */
export function describeFilter(filter: JobFilter): string {
  const parts = listFilterParts(filter).join(", ");
  return parts ? `${boardPage.title}: ${parts}` : boardPage.title;
}
