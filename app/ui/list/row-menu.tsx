import {
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useId,
  useRef,
} from "react";
import { showToast } from "../feedback/toasts.tsx";
import { useTooltip } from "../feedback/tooltip.tsx";
import { Link } from "../link.tsx";
import { useIsOpen } from "../popover.ts";
import { placePopover } from "./place-popover.ts";
import * as styles from "./row-menu.module.css";

/** The actions for one row, behind a small button that works without scripts. */
export function RowMenu({ label, children }: { label: string; children: ReactNode }) {
  const id = useId();
  const choices = useRef<HTMLDivElement>(null);
  const { isOpen, onToggle } = useIsOpen(choices);
  const { props, bubble } = useTooltip<HTMLButtonElement>({ words: "Actions" });
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- handles events of its children
    <div className={styles.rowMenu} onBlur={closeOnFocusOut} onKeyDown={handleMenuKey}>
      <button type="button" popoverTarget={id} aria-label={label} aria-expanded={isOpen} {...props}>
        <span className={styles.dots} aria-hidden="true">
          •••
        </span>
        {bubble}
      </button>
      {/* Safari doesn't focus a pressed link or button. Without a tabIndex here, the menu would lose the focus and close before the click. */}
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- the items inside handle keys */}
      <div
        id={id}
        ref={choices}
        popover="auto"
        tabIndex={-1}
        onClick={closeOnChoice}
        onToggle={(event) => {
          onToggle(event);
          placePopover(event);
        }}
      >
        {children}
      </div>
    </div>
  );
}

/** A link to the audit log of one thing. */
export function HistoryLink({ type, id }: { type: "review" | "user" | "job"; id: string }) {
  return <Link to={`/admin/history?${new URLSearchParams({ type, id }).toString()}`}>History</Link>;
}

/** Copies an id. If the browser refuses, as on pages without TLS, a message shows the id instead. */
export function CopyId({ id, label }: { id: string; label: string }) {
  async function copy() {
    try {
      await navigator.clipboard.writeText(id);
      showToast({ kind: "success", title: `Copied the ${label}` });
    } catch {
      showToast({ kind: "info", title: `Copy the ${label} from here`, description: id });
    }
  }
  return (
    <button type="button" className="needs-scripts" onClick={() => void copy()}>
      Copy {label}
    </button>
  );
}

const getMenuParts = (menu: Element) => ({
  button: menu.querySelector<HTMLElement>(":scope > button")!,
  choices: menu.querySelector<HTMLElement>(":scope > [popover]")!,
});

function closeOnFocusOut({ currentTarget: menu, relatedTarget }: FocusEvent<HTMLElement>) {
  if (!menu.contains(relatedTarget)) getMenuParts(menu).choices.hidePopover();
}

/** Focuses the button, so that a dialog opened from the menu returns the focus there and not to a closed menu. */
function closeOnChoice({ currentTarget: choices, target }: MouseEvent<HTMLElement>) {
  if (!(target as Element).closest("a, button")) return;
  getMenuParts(choices.parentElement!).button.focus();
  choices.hidePopover();
}

/** The arrow keys open the menu and move through its items. */
function handleMenuKey(event: KeyboardEvent<HTMLElement>) {
  const { key, currentTarget: menu } = event;
  const step = { ArrowDown: 1, ArrowUp: -1 }[key];
  if (!step) return;
  event.preventDefault();
  const { choices } = getMenuParts(menu);
  choices.showPopover();
  const all = [...choices.querySelectorAll<HTMLElement>(":scope > a, :scope > button")];
  const at = all.indexOf(document.activeElement as HTMLElement);
  const next = at < 0 && step < 0 ? all.length - 1 : (at + step + all.length) % all.length;
  all[next]?.focus();
}
