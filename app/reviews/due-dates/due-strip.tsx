import { type Count, countLabel } from "../../platform/lists/lists.ts";
import type { DueTally } from "./due-dates.server.ts";
import * as styles from "./due-date.module.css";

/** Says how many reviews of a list are overdue or due today; nothing while there are none. */
export function DueStrip({ counts: { overdue, today } }: { counts: DueTally }) {
  const isAny = ({ counted }: Count) => counted > 0;
  if (!isAny(overdue) && !isAny(today)) return null;
  return (
    <p className={styles.strip} data-overdue={isAny(overdue) || undefined}>
      {isAny(overdue) && <span className={styles.left}>{countLabel(overdue)} overdue</span>}
      {isAny(today) && <span>{countLabel(today)} due today</span>}
    </p>
  );
}
