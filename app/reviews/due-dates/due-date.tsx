import { useEffect, useState } from "react";
import { minute, now } from "../../platform/clock.ts";
import { type DueView, updateDueView } from "./due-dates.ts";

/** When a review is due and how long that is, in a line; nothing without a date. */
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

/** A page may lie open for days. Only what has passed since is measured here: a browser's clock may be wrong. */
function useCurrentDue(shown: DueView): DueView {
  const [latest, setLatest] = useState({ shown, passed: 0 });
  useEffect(() => {
    const cameAt = now().getTime();
    const look = () => setLatest({ shown, passed: now().getTime() - cameAt });
    const timer = setInterval(look, minute);
    // Browsers slow down or stop the clocks of a hidden tab.
    document.addEventListener("visibilitychange", look);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", look);
    };
  }, [shown]);
  return latest.shown === shown && latest.passed > 0 ? updateDueView(shown, latest.passed) : shown;
}
