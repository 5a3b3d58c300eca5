import { type ReactNode, useEffect, useId, useRef } from "react";
import { type Count, countLabel } from "../../platform/lists/lists.ts";
import type { OwnAddress } from "../../platform/own-path.ts";
import { useRenderedByServer } from "../hydrated.ts";
import { Link } from "../link.tsx";
import * as styles from "./tabs.module.css";

/** Views of one screen, each with its own address. */
export function TabLinks({
  label,
  items,
}: {
  /** The label of the tabs for screen readers. */
  label: string;
  items: {
    label: ReactNode;
    to: OwnAddress;
    current: boolean;
    /** The number of things in this view. */
    count?: Count;
    /** Reloads the page, for a view with a different content security policy. */
    reload?: boolean;
  }[];
}) {
  const id = useId();
  const row = useScrollToCurrent(items.findIndex(({ current }) => current));
  return (
    <nav ref={row} className={styles.tabs} aria-label={label}>
      {items.map((item, index) => (
        <Link
          key={item.to}
          to={item.to}
          aria-current={item.current ? "page" : undefined}
          preventScrollReset
          reloadDocument={item.reload}
          aria-describedby={item.count && `${id}-${index}`}
        >
          <span>{item.label}</span>
          {item.count && (
            // The count describes the tab, and is not part of its name.
            <span id={`${id}-${index}`} className={styles.count} aria-hidden="true">
              {countLabel(item.count)}
            </span>
          )}
        </Link>
      ))}
    </nav>
  );
}

/** The width of each faded edge, in pixels. */
const fadedEdge = 48;

/**
 * Scrolls the row of tabs to the current one, since it may be wider than a phone. The page doesn't move. For a
 * server-rendered page the stylesheet does this.
 */
function useScrollToCurrent(current: number) {
  const row = useRef<HTMLElement>(null);
  const last = useRef(useRenderedByServer() ? current : -1);
  useEffect(() => {
    if (last.current === current) return;
    last.current = current;
    const tab = row.current?.children[current] as HTMLElement | undefined;
    if (!row.current || !tab) return;
    const { left, right } = tab.getBoundingClientRect();
    const edges = row.current.getBoundingClientRect();
    row.current.scrollLeft +=
      Math.min(0, left - edges.left - fadedEdge) + Math.max(0, right - edges.right + fadedEdge);
  }, [current]);
  return row;
}
