import { useEffect, useRef, useState } from "react";
import { useLocation } from "react-router";
import { day, second } from "../platform/clock.ts";
import { type Cookie, readCookie, setCookie, type Site } from "../platform/cookies.ts";
import { useHydrated } from "../ui/hydrated.ts";
import { Icon } from "../ui/brand/icon.tsx";
import { Tooltip } from "../ui/feedback/tooltip.tsx";
import { Link } from "../ui/link.tsx";
import { type Entry, operations, parts, screens } from "./admin-screens.ts";
import { SearchDialog } from "./search-dialog.tsx";
import type { ListedWork } from "./waiting-work.server.ts";
import * as styles from "./admin.module.css";
import * as figuresStyles from "./figures.module.css";
import * as scrollAreaStyles from "../ui/layout/scroll-area.module.css";
import * as buttonStyles from "../ui/form/button.module.css";

const cookie: Cookie = { name: "side-menu", isForScripts: true };

/** Reads from a request's cookies whether the menu was folded. */
export function isMenuFolded(cookies: string | null, site: Site): boolean {
  return readCookie(cookie, cookies, site) === "folded";
}

/**
 * The admin side menu. Ctrl+B or Cmd+B folds it to icons, which is remembered for a week. On narrow
 * screens the shortcut opens it as a drawer. Without scripts it is a plain list of links.
 */
export function SideMenu({
  startsFolded,
  waitingWork,
}: {
  startsFolded: boolean;
  /** Null if it could not be counted. */
  waitingWork: ListedWork[] | null;
}) {
  const hydrated = useHydrated();
  const [isFolded, setIsFolded] = useState(startsFolded);
  const drawer = useRef<HTMLDialogElement>(null);
  const { key } = useLocation();

  function toggle() {
    if (matchMedia("(width < 48rem)").matches) return toggleDrawer(drawer.current);
    const state = isFolded ? "open" : "folded";
    document.cookie = setCookie(cookie, state, (7 * day) / second, location);
    setIsFolded(!isFolded);
  }
  useMenuShortcut(toggle);

  return (
    <div
      className={styles.side}
      data-folded={isFolded || undefined}
      data-live={hydrated || undefined}
    >
      <Tooltip words="Admin menu" keys="Ctrl B">
        <button
          type="button"
          className={styles.sideToggle}
          disabled={!hydrated}
          onClick={toggle}
          aria-keyshortcuts="Control+B Meta+B"
        >
          <Icon name="sidebar" />
          <span className={styles.sideWord}>Admin menu</span>
        </button>
      </Tooltip>
      <SearchDialog isFolded={isFolded} />
      <MenuLinks isFolded={isFolded} waitingWork={waitingWork} />
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- closes on a click beside it; Escape does the same */}
      <dialog
        // A new key per location closes the drawer on navigation, including Back.
        key={key}
        ref={drawer}
        className={`${styles.sideDrawer} ${scrollAreaStyles.scrollArea}`}
        aria-label="Admin Dashboard"
        onMouseDown={closeOnBackdropPress}
      >
        <button
          type="button"
          className={buttonStyles.iconButton}
          aria-label="Close"
          onClick={() => drawer.current?.close()}
        >
          <Icon name="close" />
        </button>
        <MenuLinks waitingWork={waitingWork} onChoose={() => drawer.current?.close()} />
      </dialog>
    </div>
  );
}

type Menu = { isFolded?: boolean; waitingWork: ListedWork[] | null; onChoose?: () => void };

/** The two groups of links. When folded, labels are for screen readers and show as tooltips on the icons. */
function MenuLinks(menu: Menu) {
  const { pathname } = useLocation();
  // The longest address wins, since "/admin/jobs/reports" is also below "/admin/jobs".
  const current = [...parts, ...operations]
    .filter(({ to }) => pathname === to || (to !== "/admin" && pathname.startsWith(`${to}/`)))
    .toSorted((one, other) => other.to.length - one.to.length)[0];
  return (
    <>
      <nav className={styles.sideMenu} aria-label="Admin Dashboard">
        {parts.map((entry) => (
          <MenuLink key={entry.to} {...menu} entry={entry} isCurrent={entry === current} />
        ))}
      </nav>
      <nav className={styles.sideMenu} aria-label="Operations">
        <p className={`${styles.sideGroup} ${styles.sideWord}`} aria-hidden="true">
          Operations
        </p>
        {operations.map((entry) => (
          <MenuLink key={entry.to} {...menu} entry={entry} isCurrent={entry === current} />
        ))}
      </nav>
    </>
  );
}

function MenuLink({
  entry: { label, to, icon, work },
  isCurrent,
  isFolded = false,
  waitingWork,
  onChoose,
}: Menu & { entry: Entry; isCurrent: boolean }) {
  const waiting = waitingWork?.find(({ name }) => name === work);
  const link = (
    <Link to={to} aria-current={isCurrent ? "page" : undefined} onClick={onChoose}>
      <Icon name={icon} />
      <span>{label}</span>
      {waiting && (
        <span className={styles.sideCount}>
          {waiting.count}
          <span className="sr-only"> {waiting.text}</span>
        </span>
      )}
    </Link>
  );
  if (!isFolded) return link;
  return <Tooltip words={waiting ? `${label}: ${waiting.count}` : label}>{link}</Tooltip>;
}

function useMenuShortcut(toggle: () => void) {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (
        event.key.toLowerCase() !== "b" ||
        !(event.ctrlKey || event.metaKey) ||
        event.altKey ||
        event.shiftKey ||
        document.querySelector(`dialog:modal:not(.${styles.sideDrawer})`)
      )
        return;
      event.preventDefault();
      toggle();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  });
}

function toggleDrawer(drawer: HTMLDialogElement | null) {
  if (drawer?.open) drawer.close();
  else drawer?.showModal();
}

function closeOnBackdropPress(event: React.MouseEvent<HTMLDialogElement>) {
  if (event.target !== event.currentTarget) return;
  // Keeps the click from moving the focus, which closing returns to its previous element.
  event.preventDefault();
  event.currentTarget.close();
}

/** Links to the screens that have no entry in the side menu. */
export function AdminLinks() {
  return (
    <nav className={figuresStyles.adminLinks} aria-labelledby="admin-links">
      <h2 id="admin-links">More admin screens</h2>
      <ul>
        {screens.map(({ to, label, about }) => (
          <li key={to}>
            <Link to={to} className={figuresStyles.cardLink}>
              {label}
              <Icon name="arrow-right" />
            </Link>
            <p>{about}</p>
          </li>
        ))}
      </ul>
    </nav>
  );
}
