import { useEffect, useState } from "react";
import { minute, now } from "../../platform/clock.ts";
import { type DueView, updateDueView } from "./due-dates.ts";

/** Renders the due date and the time left in one line; nothing without a date. */
export function DueDate({ due, withFirst = false }: { due: DueView | null; withFirst?: boolean }) {
  return due && <Due shown={due} withFirst={withFirst} />;
}

function Due({ shown, withFirst }: { shown: DueView; withFirst: boolean }) {
  const due = useCurrentDue(shown);
  return (
    <span className="due-date" data-overdue={due.isOverdue || undefined}>
      <span>{due.due}</span> <span className="due-left">{due.left}</span>
      {withFirst && due.first && <span> ({due.first})</span>}
    </span>
  );
}

/**
 * Updates the due date while a page is open. It measures only elapsed time, since a browser's clock can be
 * wrong.
 */
function useCurrentDue(shown: DueView): DueView {
  const [latest, setLatest] = useState({ shown, passed: 0 });
  useEffect(() => {
    const start = now().getTime();
    const update = () => setLatest({ shown, passed: now().getTime() - start });
    const timer = setInterval(update, minute);
    // Browsers throttle the timers of hidden tabs.
    document.addEventListener("visibilitychange", update);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", update);
    };
  }, [shown]);
  return latest.shown === shown && latest.passed > 0 ? updateDueView(shown, latest.passed) : shown;
}
