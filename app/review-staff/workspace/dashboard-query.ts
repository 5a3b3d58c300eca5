import { writeQuery } from "../../platform/lists/lists.ts";
import type { OwnPath } from "../../platform/own-path.ts";

/** The query of the reviewer's dashboard. */
export type AssignmentsQuery = {
  tab: "pending" | "completed";
  /** "due" lists overdue reviews first. It is for pending reviews only, and has one direction. */
  sort: "assigned" | "priority" | "due";
  direction: "asc" | "desc";
  /** The cursor of this page; null until there are more cards than one page can hold. */
  after: string | null;
  /** The number of cards; "Load more" raises it. */
  show: number;
};

export const cardsPerPage = 24;
const maxCards = 960;

/** Reads the query; unknown values are ignored. */
export function readAssignmentsQuery(params: URLSearchParams): AssignmentsQuery {
  const show = Number(params.get("show"));
  const tab = params.get("tab") === "completed" ? "completed" : "pending";
  const sort = parseAssignmentSort(params.get("sort"), tab);
  return {
    tab,
    sort,
    direction: sort === "due" || params.get("dir") === "asc" ? "asc" : "desc",
    after: params.get("after") || null,
    show: Number.isInteger(show) && show > 0 ? Math.min(show, maxCards) : cardsPerPage,
  };
}

function parseAssignmentSort(text: string | null, tab: AssignmentsQuery["tab"]) {
  if (text === "priority") return text;
  return text === "due" && tab === "pending" ? text : "assigned";
}

/** Builds the address of a dashboard, such as "/reviewer?tab=completed", without default values. */
export function buildAssignmentsAddress({
  tab,
  sort,
  direction,
  after,
  show,
}: AssignmentsQuery): OwnPath {
  const query = writeQuery({
    tab: tab === "pending" ? null : tab,
    sort: sort === "assigned" ? null : sort,
    dir: direction === "desc" || sort === "due" ? null : direction,
    after,
    show: show === cardsPerPage ? null : String(show),
  });
  return `/reviewer${query}`;
}

/** Returns the query behind a sort button: the opposite direction, or descending by another field. */
export function buildSortQuery(
  query: AssignmentsQuery,
  sort: AssignmentsQuery["sort"],
): AssignmentsQuery {
  const isAscending = sort === "due" || (query.sort === sort && query.direction === "desc");
  return {
    ...query,
    sort,
    direction: isAscending ? "asc" : "desc",
    after: null,
    show: cardsPerPage,
  };
}

/**
 * Returns the query behind "Load more": more cards on this page or, when it is full, the next page.
 *
 * @param next the cursor after the last card
 */
export function buildMoreQuery(query: AssignmentsQuery, next: string): AssignmentsQuery {
  const { show } = query;
  if (show + cardsPerPage <= maxCards) return { ...query, show: show + cardsPerPage };
  return { ...query, after: next, show: cardsPerPage };
}
