import { Link } from "react-router";

/** How much of a list is shown, and the way through its pages. */
export function Pager({
  shown,
  total,
  first,
  next,
}: {
  shown: number;
  /** Of all pages; left out where nobody counts. */
  total?: number;
  /** The address of the first page, unless this is it. */
  first: string | null;
  /** The address of the page behind this one, if there is one. */
  next: string | null;
}) {
  if (shown === 0 && !first) return null;
  return (
    <nav className="pager" aria-label="Pages">
      <span className="tabular-nums">
        {total === undefined ? `${shown} shown` : `${shown} of ${total} shown`}
      </span>
      {first && <Link to={first}>First page</Link>}
      {next && <Link to={next}>Next page</Link>}
    </nav>
  );
}
