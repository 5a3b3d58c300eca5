import { takeUnits } from "../../platform/text.ts";

/** A search of a list of staff's is cut to this many characters. */
export const longestSearch = 200;

/** What an address searches for: without what a database refuses, and "" where it searches for nothing. */
export function readSearch(params: URLSearchParams): string {
  const search = (params.get("search") ?? "").trim();
  return takeUnits(search, longestSearch).replaceAll("\u0000", "");
}
