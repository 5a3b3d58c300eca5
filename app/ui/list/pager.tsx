import { Link } from "react-router";
import { type Count, countLabel } from "../../platform/lists.ts";

/** The cursors of the pages beside the one that is shown. */
export type Beside = { previous: string | null; next: string | null };

/** How much of a list is shown, and the way through its pages. */
export function Pager({
  shown,
  total,
  after,
  previous,
  next,
  address,
}: Beside & {
  shown: number;
  /** Of all pages; left out where nobody counts. */
  total?: Count;
  /** The cursor of this page; null is the first. */
  after: string | null;
  /** The address of the page with this cursor. */
  address(cursor: string | null): string;
}) {
  if (shown === 0 && !after) return null;
  return (
    <nav className="pager" aria-label="Pages">
      <span className="tabular">
        {total ? `${shown} of ${countLabel(total)} shown` : `${shown} shown`}
      </span>
      {after && <Link to={address(null)}>First page</Link>}
      {previous && <Link to={address(previous)}>Previous page</Link>}
      {next && <Link to={address(next)}>Next page</Link>}
    </nav>
  );
}
