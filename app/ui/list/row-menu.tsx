import type { FocusEvent, KeyboardEvent, MouseEvent, ReactNode } from "react";
import { useTooltip } from "../feedback/tooltip.tsx";
import { Link } from "../link.tsx";

/** What can be done to one row, behind a small button; it opens before any script. */
export function RowMenu({ label, children }: { label: string; children: ReactNode }) {
  const { heard, bubble } = useTooltip<HTMLElement>({ words: "Actions" });
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- hears what happens within
    <details
      className="row-menu"
      name="row-menu"
      onBlur={closeOutside}
      onKeyDown={onKey}
      onClick={closeOnChoice}
    >
      <summary aria-label={label} {...heard}>
        <span aria-hidden="true">•••</span>
        {bubble}
      </summary>
      {/* A press in Safari gives the focus to no link or button: it would leave the menu, and close it before the click. */}
      <div tabIndex={-1}>{children}</div>
    </details>
  );
}

/** To what staff did to one thing. */
export function HistoryLink({ type, id }: { type: "review" | "user"; id: string }) {
  return <Link to={`/admin/history?${new URLSearchParams({ type, id }).toString()}`}>History</Link>;
}

function closeOutside({ currentTarget, relatedTarget }: FocusEvent<HTMLDetailsElement>) {
  if (!currentTarget.contains(relatedTarget)) currentTarget.open = false;
}

/** The button keeps the focus: a dialog that is chosen gives it back where it was, and not into a closed menu. */
function closeOnChoice({ currentTarget: menu, target }: MouseEvent<HTMLDetailsElement>) {
  if (!(target as Element).closest("a, button")) return;
  menu.querySelector("summary")?.focus();
  menu.open = false;
}

/** Escape closes it; the arrows go through what it offers, and open it. */
function onKey(event: KeyboardEvent<HTMLDetailsElement>) {
  const { key, currentTarget: menu } = event;
  const summary = menu.querySelector("summary");
  if (key === "Escape" && menu.open) {
    menu.open = false;
    summary?.focus();
  }
  const step = { ArrowDown: 1, ArrowUp: -1 }[key];
  if (!step) return;
  event.preventDefault();
  menu.open = true;
  const choices = [...menu.querySelectorAll<HTMLElement>("div > a, div > button")];
  const at = choices.indexOf(document.activeElement as HTMLElement);
  const next =
    at < 0 && step < 0 ? choices.length - 1 : (at + step + choices.length) % choices.length;
  choices[next]?.focus();
}
