import { writeQuery } from "../../platform/lists.ts";

/** The query of the reviewer's dashboard. */
export type AssignmentsQuery = {
  tab: "pending" | "completed";
  /** "due": what is overdue first; only of what is pending, and one way round. */
  sort: "assigned" | "priority" | "due";
  direction: "asc" | "desc";
  /** The cursor behind which they begin, after more than one page can hold. */
  after: string | null;
  /** The number of cards; "Load more" asks for more. */
  show: number;
};

export const cardsPerPage = 24;
const mostCards = 960;

/** Anything that is not understood counts as absent. */
export function readAssignmentsQuery(params: URLSearchParams): AssignmentsQuery {
  const show = Number(params.get("show"));
  const tab = params.get("tab") === "completed" ? "completed" : "pending";
  const sort = parseAssignmentSort(params.get("sort"), tab);
  return {
    tab,
    sort,
    direction: sort === "due" || params.get("dir") === "asc" ? "asc" : "desc",
    after: params.get("after") || null,
    show: Number.isInteger(show) && show > 0 ? Math.min(show, mostCards) : cardsPerPage,
  };
}

function parseAssignmentSort(
  text: string | null,
  tab: AssignmentsQuery["tab"],
): AssignmentsQuery["sort"] {
  if (text === "priority") return text;
  return text === "due" && tab === "pending" ? text : "assigned";
}

/** "?tab=completed&sort=priority": only what differs from the first look. */
export function buildAssignmentsAddress({
  tab,
  sort,
  direction,
  after,
  show,
}: AssignmentsQuery): string {
  const query = writeQuery({
    tab: tab === "pending" ? null : tab,
    sort: sort === "assigned" ? null : sort,
    dir: direction === "desc" || sort === "due" ? null : direction,
    after,
    show: show === cardsPerPage ? null : String(show),
  });
  return `/reviewer${query}`;
}

/** The address behind a sort button: the other direction, or descending by another measure; overdue first. */
export function buildSortQuery(
  query: AssignmentsQuery,
  sort: AssignmentsQuery["sort"],
): AssignmentsQuery {
  const turned = sort === "due" || (query.sort === sort && query.direction === "desc");
  return { ...query, sort, direction: turned ? "asc" : "desc", after: null, show: cardsPerPage };
}

/**
 * More cards below those shown or, when the page holds no more, a page behind them.
 *
 * @param next the cursor behind the last card
 */
export function buildMoreQuery(query: AssignmentsQuery, next: string): AssignmentsQuery {
  const { show } = query;
  if (show + cardsPerPage <= mostCards) return { ...query, show: show + cardsPerPage };
  return { ...query, after: next, show: cardsPerPage };
}
