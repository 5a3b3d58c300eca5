import { useEffect, useRef, useState } from "react";
import { NavLink, useLocation } from "react-router";
import { day, second } from "../platform/clock.ts";
import { type Cookie, readCookie, setCookie, type Site } from "../platform/cookies.ts";
import { useHydrated } from "../ui/hydrated.ts";
import { Icon, type IconName } from "../ui/brand/icon.tsx";
import { Tooltip } from "../ui/feedback/tooltip.tsx";
import { Link } from "../ui/link.tsx";

/** The parts of the admin's dashboard, in their order. */
const parts: { label: string; to: `/${string}`; icon: IconName }[] = [
  { label: "Overview", to: "/admin", icon: "compass" },
  { label: "Users", to: "/admin/users", icon: "user" },
  { label: "Reviews", to: "/admin/reviews", icon: "file" },
  { label: "Job Board", to: "/admin/jobs", icon: "pin" },
  { label: "Settings", to: "/admin/settings", icon: "filter" },
];

const cookie: Cookie = { name: "side-menu", isForScripts: true };

/** Checks by a request's cookies whether the menu was folded. */
export function isMenuFolded(cookies: string | null, site: Site): boolean {
  return readCookie(cookie, cookies, site) === "folded";
}

/**
 * The admin's side menu. Ctrl+B or Cmd+B folds it to its icons, which is remembered for a week; on
 * narrow screens the same opens it as a drawer. Without scripts it is a plain list of links.
 */
export function SideMenu({ startsFolded }: { startsFolded: boolean }) {
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
    <div className="side" data-folded={isFolded || undefined} data-live={hydrated || undefined}>
      <Tooltip words="Admin menu" keys="Ctrl B">
        <button
          type="button"
          className="side-toggle"
          disabled={!hydrated}
          onClick={toggle}
          aria-keyshortcuts="Control+B Meta+B"
        >
          <Icon name="sidebar" />
          <span className="side-word">Admin menu</span>
        </button>
      </Tooltip>
      <MenuLinks isFolded={isFolded} />
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- a press beside it */}
      <dialog
        // Another place begins with it closed, also one that going back leads to.
        key={key}
        ref={drawer}
        className="side-drawer scroll-area"
        aria-label="Admin Dashboard"
        onMouseDown={closeOnBackdropPress}
      >
        <button
          type="button"
          className="icon-button"
          aria-label="Close"
          onClick={() => drawer.current?.close()}
        >
          <Icon name="close" />
        </button>
        <MenuLinks onChoose={() => drawer.current?.close()} />
      </dialog>
    </div>
  );
}

/** Folded, the words are for screen readers, and what points at an icon is shown its name. */
function MenuLinks({ isFolded = false, onChoose }: { isFolded?: boolean; onChoose?: () => void }) {
  return (
    <nav className="side-menu" aria-label="Admin Dashboard">
      {parts.map(({ label, to, icon }) => {
        const link = (
          <NavLink key={to} to={to} end={to === "/admin"} onClick={onChoose}>
            <Icon name={icon} />
            <span>{label}</span>
          </NavLink>
        );
        return isFolded ? (
          <Tooltip key={to} words={label}>
            {link}
          </Tooltip>
        ) : (
          link
        );
      })}
    </nav>
  );
}

function useMenuShortcut(toggle: () => void) {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (
        event.key.toLowerCase() !== "b" ||
        !(event.ctrlKey || event.metaKey) ||
        event.altKey ||
        event.shiftKey ||
        document.querySelector("dialog:modal:not(.side-drawer)")
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
  // The press would take the focus, which returns to its former place.
  event.preventDefault();
  event.currentTarget.close();
}

const screens = [
  {
    to: "/admin/reviewers",
    label: "Reviewers",
    about: "How useful and how fast their reviews are",
  },
  { to: "/admin/messages", label: "Messages to us", about: "Read and answer what people wrote" },
  { to: "/admin/mail", label: "Mail", about: "What waits, what failed, what has left" },
  { to: "/admin/orders", label: "Orders", about: "Every payment, what became of it, and refunds" },
  {
    to: "/admin/payments",
    label: "Payments to look into",
    about: "Those that time alone does not settle",
  },
  { to: "/admin/history", label: "History of what staff did", about: "Who did what, and when" },
  { to: "/admin/product", label: "The product", about: "What runs, what waits, how it is set" },
];

/** The way to the screens that the side menu has no entry for. */
export function AdminLinks() {
  return (
    <nav className="admin-links" aria-label="More of the admin's screens">
      <ul>
        {screens.map(({ to, label, about }) => (
          <li key={to}>
            <Link to={to}>{label}</Link>
            <p>{about}</p>
          </li>
        ))}
      </ul>
    </nav>
  );
}
