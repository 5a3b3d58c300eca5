import { type ReactNode, useEffect, useState } from "react";
import { minute, now } from "../../platform/clock.ts";
import { Tooltip } from "../../ui/feedback/tooltip.tsx";
import { type DueView, updateDueView } from "./due-dates.ts";
import * as styles from "./due-date.module.css";

/**
 * Renders a due time, as on every screen; nothing without a date. Lists show a short label on one line, with the date
 * in a tooltip and for screen readers. `withDate` shows the date and the time left, where there is room.
 */
export function DueDate({ due, withDate = false }: { due: DueView | null; withDate?: boolean }) {
  return due && <Due view={due} withDate={withDate} />;
}

function Due({ view, withDate }: { view: DueView; withDate: boolean }) {
  const due = useCurrentDue(view);
  const date = due.first ? `${due.due} (${due.first})` : due.due;
  return (
    <span className={styles.dueDate} data-overdue={due.isOverdue || undefined}>
      {withDate ? (
        <>
          <span>{due.due}</span> <span className={styles.left}>{due.left}</span>
          {due.first && <span> ({due.first})</span>}
        </>
      ) : (
        <>
          <Tooltip words={date}>
            <span className={styles.left}>{due.label}</span>
          </Tooltip>
          <span className="sr-only">, {date}</span>
        </>
      )}
    </span>
  );
}

/** The due time in the cell of a list, on a line above the rest of the cell. */
export function DueCell({ due, children }: { due: DueView | null; children?: ReactNode }) {
  return (
    <>
      <span className="block">
        {due ? <DueDate due={due} /> : <span className={styles.none}>No due date</span>}
      </span>{" "}
      {children && <span className={styles.beside}>{children}</span>}
    </>
  );
}

/**
 * Updates the due date while a page is open. It measures only elapsed time, since a browser's clock can be
 * wrong.
 */
function useCurrentDue(view: DueView): DueView {
  const [latest, setLatest] = useState({ shown: view, passed: 0 });
  useEffect(() => {
    const start = now().getTime();
    const update = () => setLatest({ shown: view, passed: now().getTime() - start });
    const timer = setInterval(update, minute);
    // Browsers throttle the timers of hidden tabs.
    document.addEventListener("visibilitychange", update);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", update);
    };
  }, [view]);
  return latest.shown === view && latest.passed > 0 ? updateDueView(view, latest.passed) : view;
}
