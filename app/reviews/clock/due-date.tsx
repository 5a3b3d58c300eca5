import type { ShownDue } from "./due-dates.ts";

/** When a review is due and how long that is, in a line; nothing without a date. */
export function DueDate({ due, withFirst = false }: { due: ShownDue | null; withFirst?: boolean }) {
  if (!due) return null;
  return (
    <span className="due-date" data-overdue={due.isOverdue || undefined}>
      <span>{due.due}</span> <span className="due-left">{due.left}</span>
      {withFirst && due.first && <span> ({due.first})</span>}
    </span>
  );
}
