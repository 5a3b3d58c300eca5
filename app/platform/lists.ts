/** Queries and labels of lists. Safe for the browser. */
import { formatIndianNumber } from "./numbers.ts";

export type Direction = "asc" | "desc";

/** The sort key and direction of a list. */
export type Sort<Name extends string> = { by: Name; direction: Direction };

/** "user.asc" → by user, ascending. Any invalid text is the first sort. */
export function readSort<Name extends string>(
  text: string | null,
  names: readonly Name[],
  first: Sort<Name>,
): Sort<Name> {
  const [name, direction] = (text ?? "").split(".");
  const by = names.find((known) => known === name);
  if (!by || (direction !== "asc" && direction !== "desc")) return first;
  return { by, direction };
}

export function writeSort({ by, direction }: Sort<string>): string {
  return `${by}.${direction}`;
}

/** "?search=asha&state=sent", without empty parameters. "" if all are empty. */
export function writeQuery(query: Record<string, string | null | undefined>): string {
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
