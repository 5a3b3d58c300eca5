/** The query and labels that every list has; safe for the browser. */
import { formatIndianNumber } from "./numbers.ts";

export type Direction = "asc" | "desc";

/** The sort key and direction of a list. */
export type Sort<Name extends string> = { by: Name; direction: Direction };

/** "user.asc" → by user, ascending; anything that is not understood is the first sort. */
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

/** "?search=asha&state=sent": what of a query is asked for; "" where nothing is. */
export function writeQuery(query: Record<string, string | null | undefined>): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value) params.set(name, value);
  return params.size > 0 ? `?${params.toString()}` : "";
}

/** A count; `isMore` means that there are more than were counted. */
export type Count = { counted: number; isMore: boolean };

/** "12", or "1,000+" where counting stopped. */
export function countLabel({ counted, isMore }: Count): string {
  return formatIndianNumber(counted) + (isMore ? "+" : "");
}
