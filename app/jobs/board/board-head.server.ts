import type { BoardQuery } from "../board-query.ts";
import type { FilterLabel } from "../filter-labels.server.ts";
import { boardPage } from "../pages.ts";

/** The head of a page of the board, for search engines and feed readers. */
export type BoardHead = {
  title: string;
  description: string;
  isListed: boolean;
  /** The title of the list's feed. */
  listTitle: string;
};

/** Search engines list a filter's page with at least this many jobs. */
export const leastListed = 5;

/**
 * Builds the head of a page of the board. Search engines list all jobs, one type, or one filter with at least five jobs.
 *
 * @param labels the chosen values of the filters
 * @param count the number of jobs on the first page
 */
export function buildBoardHead(
  query: BoardQuery,
  labels: readonly FilterLabel[],
  count: number,
): BoardHead {
  return {
    ...describePage(query, labels),
    isListed: isListedBoard(query, labels, count),
    listTitle: describeFilter(query, labels),
  };
}

function describePage({ type }: BoardQuery, labels: readonly FilterLabel[]) {
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
  if (group === "mode") return `${label} design jobs`;
  return group === "place" ? `Design jobs in ${label}` : `Design jobs with ${label}`;
}

function isListedBoard(
  { search, type, sort, after }: BoardQuery,
  labels: readonly FilterLabel[],
  count: number,
): boolean {
  if (search || after || sort !== "newest") return false;
  const [first, ...others] = labels;
  if (!first) return true;
  // Years and pay levels overlap too much to be pages of their own.
  const isPage =
    first.value !== "unstated" && first.group !== "experience" && first.group !== "pay";
  return isPage && others.length === 0 && !type && count >= leastListed;
}

/**
 * Describes a filtered list: "Design Jobs Board: Internship, Pune, “figma”". Without a filter, returns the board's
 * title.
 */
export function describeFilter(
  { search, type }: Pick<BoardQuery, "search" | "type">,
  labels: readonly FilterLabel[],
): string {
  const parts = [type, ...labels.map(({ label }) => label), search && `“${search}”`];
  const filter = parts.filter(Boolean).join(", ");
  return filter ? `${boardPage.title}: ${filter}` : boardPage.title;
}
