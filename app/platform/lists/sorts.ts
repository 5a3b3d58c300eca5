/** The sort of a list in its address. Safe for the browser. */

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
  const by = names.find((candidate) => candidate === name);
  if (!by || (direction !== "asc" && direction !== "desc")) return first;
  return { by, direction };
}

export function writeSort({ by, direction }: Sort<string>): string {
  return `${by}.${direction}`;
}
