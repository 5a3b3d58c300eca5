import { type Count, countLabel } from "../../platform/lists/lists.ts";
import type { OwnAddress } from "../../platform/own-path.ts";
import { Link } from "../../ui/link.tsx";
import type { DueTally } from "./due-dates.server.ts";
import * as styles from "./due-date.module.css";

/** Says how many reviews of a list are overdue or due today, and sorts by due date; nothing while there are none. */
export function DueStrip({
  counts: { overdue, today },
  isFirst,
  to,
  isInBar = false,
}: {
  counts: DueTally;
  /** True if the list already starts with them. */
  isFirst: boolean;
  /** The address of the list by due date. */
  to: OwnAddress;
  /** True in the bar of a selection. */
  isInBar?: boolean;
}) {
  const isAny = ({ counted }: Count) => counted > 0;
  if (!isAny(overdue) && !isAny(today)) return null;
  return (
    <p
      className={isInBar ? `${styles.strip} ${styles.inBar}` : styles.strip}
      data-overdue={isAny(overdue) || undefined}
    >
      {isAny(overdue) && <span className={styles.left}>{countLabel(overdue)} overdue</span>}
      {isAny(today) && <span>{countLabel(today)} due today</span>}
      {isFirst ? (
        <span className="text-ink-soft">Shown first</span>
      ) : (
        <Link to={to} replace preventScrollReset>
          Show first
        </Link>
      )}
    </p>
  );
}
