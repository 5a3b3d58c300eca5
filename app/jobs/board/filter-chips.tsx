import { type RefObject, useEffect, useRef } from "react";
import { Icon } from "../../ui/brand/icon.tsx";
import { byFilters } from "../../ui/list/filtering.ts";
import { Link } from "../../ui/link.tsx";
import {
  buildBoardAddress,
  type BoardQuery,
  removeChoice,
  removeFilters,
} from "../filters/board-query.ts";
import type { FilterLabel } from "../filters/filter-labels.server.ts";
import type { BoardLink } from "../filters/named-filter.server.ts";
import * as styles from "./board.module.css";

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
    <ul ref={chips} tabIndex={-1} aria-label="Filters in use" className={styles.chips}>
      {labels.map(({ group, value, label }) => (
        <li key={`${group}=${value}`}>
          <Link
            to={buildBoardAddress(removeChoice(query, group, value))}
            className={styles.chip}
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
          <Link to={buildBoardAddress(removeFilters(query))} className={styles.chipClear} {...link}>
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

/** Links to jobs that the search or the filters leave out. */
export function OtherJobs({ query, links }: { query: BoardQuery; links: readonly BoardLink[] }) {
  if (links.length === 0) return null;
  return (
    <ul className={styles.leftOut}>
      {links.map(({ label, change }) => (
        <li key={label}>
          <Link
            to={buildBoardAddress({ ...query, after: null, ...change })}
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
