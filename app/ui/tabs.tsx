import type { ReactNode } from "react";
import { Link } from "react-router";

/** Views of one screen, each with an address of its own. */
export function TabLinks({
  label,
  items,
}: {
  /** What the tabs choose between, for screen readers. */
  label: string;
  items: {
    label: ReactNode;
    to: string;
    current: boolean;
    /** Loads the page anew, where it has a content security policy of its own. */
    reload?: boolean;
  }[];
}) {
  return (
    <nav className="tabs" aria-label={label}>
      {items.map((item) => (
        <Link
          key={item.to}
          to={item.to}
          aria-current={item.current ? "page" : undefined}
          // On a phone the row may be longer than the screen.
          ref={item.current ? showWhole : undefined}
          preventScrollReset
          reloadDocument={item.reload}
        >
          {item.label}
        </Link>
      ))}
    </nav>
  );
}

function showWhole(tab: HTMLAnchorElement | null) {
  tab?.scrollIntoView({ inline: "nearest", block: "nearest" });
}
