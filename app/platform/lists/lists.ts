/** Queries and labels of lists. Safe for the browser. */
import { formatIndianNumber } from "../numbers.ts";

/** "?search=asha&state=sent", without empty parameters. "" if all are empty. */
export function writeQuery(query: Record<string, string | null | undefined>): "" | `?${string}` {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value) params.set(name, value);
  return params.size > 0 ? `?${params.toString()}` : "";
}

/** A count. `isMore` is true if counting stopped before the end. */
export type Count = { counted: number; isMore: boolean };

/** "12", or "1,000+" if counting stopped. */
export function countLabel({ counted, isMore }: Count): string {
  return formatIndianNumber(counted) + (isMore ? "+" : "");
}

/** The shortest start of an id that a search finds, in characters without hyphens. */
export const minIdPartLength = 4;
