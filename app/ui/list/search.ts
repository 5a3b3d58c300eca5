import { truncateToUnits } from "../../platform/text/cut-text.ts";
import { cleanLine } from "../../platform/text/text.ts";

/** A search of a list of staff's is cut to this many characters. */
export const longestSearch = 200;

/** Parses the search of an address without invisible characters; "" when there is none. */
export function parseSearch(params: URLSearchParams): string {
  return truncateToUnits(cleanLine(params.get("search") ?? ""), longestSearch).trim();
}
