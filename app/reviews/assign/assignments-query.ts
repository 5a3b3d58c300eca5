/** What the address of the reviewer's dashboard asks for, and back into an address. */
export type AssignmentsQuery = {
  tab: "pending" | "completed";
  sort: "assigned" | "priority";
  direction: "asc" | "desc";
  /** How many cards were gone past, after more than one page can hold. */
  from: number;
  /** How many cards; "Load more" asks for some more. */
  show: number;
};

export const cardsPerPage = 24;
const mostCards = 960;
const farthest = 1_000_000;

/** Anything that is not understood counts as absent. */
export function readAssignmentsQuery(params: URLSearchParams): AssignmentsQuery {
  const [from, show] = [Number(params.get("from")), Number(params.get("show"))];
  return {
    tab: params.get("tab") === "completed" ? "completed" : "pending",
    sort: params.get("sort") === "priority" ? "priority" : "assigned",
    direction: params.get("dir") === "asc" ? "asc" : "desc",
    from: Number.isInteger(from) && from > 0 ? Math.min(from, farthest) : 0,
    show: Number.isInteger(show) && show > 0 ? Math.min(show, mostCards) : cardsPerPage,
  };
}

/** "?tab=completed&sort=priority": only what differs from the first look. */
export function assignmentsAddress({ tab, sort, direction, from, show }: AssignmentsQuery): string {
  const params = new URLSearchParams();
  if (tab !== "pending") params.set("tab", tab);
  if (sort !== "assigned") params.set("sort", sort);
  if (direction !== "desc") params.set("dir", direction);
  if (from > 0) params.set("from", String(from));
  if (show !== cardsPerPage) params.set("show", String(show));
  const query = params.toString();
  return query ? `/reviewer?${query}` : "/reviewer";
}

/** The address behind a sort button: the other direction, or descending by another measure. */
export function sortedBy(
  query: AssignmentsQuery,
  sort: AssignmentsQuery["sort"],
): AssignmentsQuery {
  const turned = query.sort === sort && query.direction === "desc";
  return { ...query, sort, direction: turned ? "asc" : "desc", from: 0, show: cardsPerPage };
}

/** More cards below those shown or, when the page holds no more, a page behind them. */
export function withMore(query: AssignmentsQuery): AssignmentsQuery {
  const { from, show } = query;
  if (show + cardsPerPage <= mostCards) return { ...query, show: show + cardsPerPage };
  return { ...query, from: from + show, show: cardsPerPage };
}
