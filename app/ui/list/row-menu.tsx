import {
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  type UIEvent,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { flushSync } from "react-dom";
import { useLocation } from "react-router";
import { showToast } from "../feedback/toasts.tsx";
import { useTooltip } from "../feedback/tooltip.tsx";
import { useHydrated } from "../hydrated.ts";
import { Link } from "../link.tsx";
import { placePopover } from "./place-popover.ts";
import * as styles from "./row-menu.module.css";

/**
 * The actions for one row, behind a small button. Only the open menu is rendered, since those of fifty rows would be a sixth
 * of a page. Without scripts, the button is a link to the same list with the row's menu open.
 *
 * @param id the row's id
 * @param children returns the items
 */
export function RowMenu({
  id,
  label,
  children,
}: {
  id: string;
  label: string;
  children(): ReactNode;
}) {
  const { search } = useLocation();
  const closed = search.replace(/(?<=[?&])menu=[^&]*$/, "").replace(/[?&]$/, "");
  const opened = `${closed ? `${closed}&` : "?"}menu=${id}`;
  const [isOpen, setIsOpen] = useState(search === opened);
  const isOpenAtPress = useRef(false);
  const { props, bubble } = useTooltip<HTMLAnchorElement>({ words: "Actions" });
  const open = () => flushSync(() => setIsOpen(true));
  function toggle({ currentTarget: button, detail }: UIEvent) {
    // Without a pointer, the detail is zero.
    const wasOpen = detail > 0 ? isOpenAtPress.current : isOpen;
    if (wasOpen) getMenuParts(button.parentElement!).choices?.hidePopover();
    else open();
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- handles events of its children
    <div
      className={styles.rowMenu}
      onBlur={closeOnFocusOut}
      onKeyDown={(event) => handleMenuKey(event, open)}
    >
      <a
        {...props}
        href={isOpen ? closed || "?" : opened}
        role="button"
        aria-label={label}
        aria-expanded={isOpen}
        // Scrolls to a menu in the page that the link has opened.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus={isOpen}
        onPointerDown={() => {
          props.onPointerDown();
          // A press outside of an open menu closes it before the click.
          isOpenAtPress.current = isOpen;
        }}
        onClick={(event) => {
          props.onClick();
          if (event.ctrlKey || event.metaKey || event.shiftKey) return;
          event.preventDefault();
          toggle(event);
        }}
        onKeyDown={(event) => {
          if (event.key !== " ") return;
          event.preventDefault();
          toggle(event);
        }}
      >
        <span className={styles.dots} aria-hidden="true">
          •••
        </span>
        {bubble}
      </a>
      {isOpen && <OpenMenu onClose={() => setIsOpen(false)}>{children()}</OpenMenu>}
    </div>
  );
}

/** The items of the open menu, in the page until scripts run and above it from then on. */
function OpenMenu({ onClose, children }: { onClose(): void; children: ReactNode }) {
  const hydrated = useHydrated();
  const choices = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (hydrated) choices.current!.showPopover();
  }, [hydrated]);
  return (
    // Safari doesn't focus a pressed link or button. Without a tabIndex here, the menu would lose the focus and close before the click.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- the items inside handle keys
    <div
      ref={choices}
      className={styles.choices}
      popover={hydrated ? "auto" : undefined}
      tabIndex={-1}
      onClick={closeOnChoice}
      onToggle={(event) => {
        if (event.newState === "closed") onClose();
        placePopover(event);
      }}
    >
      {children}
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
  button: menu.querySelector<HTMLElement>(":scope > a")!,
  choices: menu.querySelector<HTMLElement>(":scope > [popover]"),
});

function closeOnFocusOut({ currentTarget: menu, relatedTarget }: FocusEvent<HTMLElement>) {
  if (!menu.contains(relatedTarget)) getMenuParts(menu).choices?.hidePopover();
}

/** Focuses the button, so that a dialog opened from the menu returns the focus there and not to a closed menu. */
function closeOnChoice({ currentTarget: choices, target }: MouseEvent<HTMLElement>) {
  if (!(target as Element).closest("a, button")) return;
  getMenuParts(choices.parentElement!).button.focus();
  choices.hidePopover();
}

/** The arrow keys open the menu and move through its items. Escape closes it. */
function handleMenuKey(event: KeyboardEvent<HTMLElement>, open: () => void) {
  const { key, currentTarget: menu } = event;
  if (key === "Escape") return closeOnEscape(event);
  const step = { ArrowDown: 1, ArrowUp: -1 }[key];
  if (!step) return;
  event.preventDefault();
  open();
  const choices = getMenuParts(menu).choices!;
  choices.showPopover();
  const all = [...choices.querySelectorAll<HTMLElement>(":scope > a, :scope > button")];
  const at = all.indexOf(document.activeElement as HTMLElement);
  const next = at < 0 && step < 0 ? all.length - 1 : (at + step + all.length) % all.length;
  all[next]?.focus();
}

/**
 * Closes an open menu and focuses its button. The browser would focus it while it closes the menu, when the button's tooltip
 * can't open.
 */
function closeOnEscape(event: KeyboardEvent<HTMLElement>) {
  const { button, choices } = getMenuParts(event.currentTarget);
  if (!choices) return;
  event.preventDefault();
  button.focus();
  choices.hidePopover();
}
