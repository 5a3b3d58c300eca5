import type { FocusEvent, KeyboardEvent, ReactNode } from "react";

/** What can be done to one row, behind a small button; it opens before any script. */
export function RowMenu({ label, children }: { label: string; children: ReactNode }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- hears what happens within
    <details className="row-menu" name="row-menu" onBlur={closeOutside} onKeyDown={closeOnEscape}>
      <summary aria-label={label} title="Actions">
        <span aria-hidden="true">•••</span>
      </summary>
      <div>{children}</div>
    </details>
  );
}

function closeOutside({ currentTarget, relatedTarget }: FocusEvent<HTMLDetailsElement>) {
  if (!currentTarget.contains(relatedTarget)) currentTarget.open = false;
}

function closeOnEscape({ key, currentTarget }: KeyboardEvent<HTMLDetailsElement>) {
  if (key !== "Escape" || !currentTarget.open) return;
  currentTarget.open = false;
  currentTarget.querySelector("summary")?.focus();
}
