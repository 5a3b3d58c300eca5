import { type RefObject, useEffect, useRef } from "react";
import { Icon } from "../../ui/brand/icon.tsx";
import { byFilters } from "../../ui/list/filtering.ts";
import { Link } from "../../ui/link.tsx";
import { buildBoardAddress, type BoardQuery, removeChoice, removeFilters } from "../board-query.ts";
import type { FilterLabel } from "../filter-labels.server.ts";
import type { LeftOut } from "./filter-options.server.ts";

/** Links that remove one filter each, and one that removes all. */
export function FilterChips({
  query,
  labels,
}: {
  query: BoardQuery;
  labels: readonly FilterLabel[];
}) {
  const chips = useRef<HTMLUListElement>(null);
  useFocusAfterRemoval(chips, labels.length);
  const link = { state: byFilters, preventScrollReset: true };
  return (
    <ul ref={chips} tabIndex={-1} aria-label="Filters in use" className="chips">
      {labels.map(({ group, value, label }) => (
        <li key={`${group}=${value}`}>
          <Link
            to={buildBoardAddress(removeChoice(query, group, value))}
            className="chip"
            {...link}
          >
            <span className="sr-only">Remove </span>
            {label}
            <Icon name="close" />
          </Link>
        </li>
      ))}
      {labels.length > 0 && (
        <li>
          <Link to={buildBoardAddress(removeFilters(query))} className="chip-clear" {...link}>
            Clear all
          </Link>
        </li>
      )}
    </ul>
  );
}

/** Keeps the focus near a removed chip, since it would be lost with it. */
function useFocusAfterRemoval(chips: RefObject<HTMLElement | null>, count: number) {
  const previous = useRef(count);
  useEffect(() => {
    if (count < previous.current && document.activeElement === document.body)
      chips.current?.focus({ preventScroll: true });
    previous.current = count;
  }, [chips, count]);
}

/** Links to the jobs that the filters leave out since they don't state their experience or pay. */
export function LeftOutJobs({
  query,
  leftOut,
}: {
  query: BoardQuery;
  leftOut: readonly LeftOut[];
}) {
  if (leftOut.length === 0) return null;
  return (
    <ul className="left-out">
      {leftOut.map(({ group, value, label }) => (
        <li key={group + value}>
          <Link
            to={buildBoardAddress({ ...removeChoice(query, group), [group]: value })}
            state={byFilters}
            preventScrollReset
          >
            {label}
          </Link>
        </li>
      ))}
    </ul>
  );
}
