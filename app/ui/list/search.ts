import { truncateToUnits } from "../../platform/text/cut-text.ts";
import { cleanLine } from "../../platform/text/text.ts";

/** The longest search in a staff list, in characters. */
export const maxSearchLength = 200;

/** Returns the search from the address without invisible characters, or "". */
export function parseSearch(params: URLSearchParams): string {
  return truncateToUnits(cleanLine(params.get("search") ?? ""), maxSearchLength).trim();
}
