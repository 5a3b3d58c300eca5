import { type BoardQuery, hasFilters } from "../board-query.ts";

/** Advice for a list without jobs. */
export type WayOut = {
  advice: string;
  /** True if the board without search, filters and cursor can have more jobs. */
  isNarrowed: boolean;
};

/** @param isNamed true if a link leads to the filter that the search names */
export function describeWayOut(query: BoardQuery, isNamed: boolean): WayOut {
  const isNarrowed = Boolean(query.search || query.type || query.after) || hasFilters(query);
  return { advice: getAdvice(query, isNamed), isNarrowed };
}

function getAdvice(query: BoardQuery, isNamed: boolean): string {
  if (isNamed)
    return "A search looks at titles, companies and summaries only. Use the filter above instead.";
  if (hasFilters(query)) return "Remove a filter, or try another word or job type.";
  if (/\S\s+\S/.test(query.search)) return "Try a shorter search, other words or another job type.";
  if (query.search) return "Try another word or job type.";
  return query.type || query.after
    ? "Try another job type."
    : "There are no open jobs right now. New ones appear here immediately.";
}
