import { Link } from "react-router";
import { Icon } from "../brand/icon.tsx";

export type Direction = "asc" | "desc";

/** A column's header that sorts by it, and the other way round when pressed again. */
export function SortHeader({
  label,
  direction,
  to,
}: {
  label: string;
  /** How the list is sorted by this column now, if it is. */
  direction: Direction | null;
  /** The address of the list sorted as the next press wants it. */
  to: string;
}) {
  return (
    <Link
      to={to}
      replace
      preventScrollReset
      className="sort-header"
      data-direction={direction ?? undefined}
    >
      {label}
      <Icon name="chevron-down" />
    </Link>
  );
}

/** For the column's `aria-sort`. */
export function sortedWords(direction: Direction | null) {
  if (!direction) return undefined;
  return direction === "asc" ? ("ascending" as const) : ("descending" as const);
}
