import { useEffect, useRef, useState } from "react";
import { NavLink } from "react-router";
import { useHydrated } from "../ui/hydrated.ts";
import { Icon, type IconName } from "../ui/icon.tsx";
import { sideMenuCookie } from "./side-menu-cookie.ts";

/** The parts of the admin's dashboard, in their order. */
const parts: { label: string; to: string; icon: IconName }[] = [
  { label: "Overview", to: "/admin", icon: "compass" },
  { label: "Users", to: "/admin/users", icon: "user" },
  { label: "Reviews", to: "/admin/reviews", icon: "file" },
  { label: "Job Board", to: "/admin/jobs", icon: "pin" },
  { label: "Settings", to: "/admin/settings", icon: "filter" },
];

/**
 * The admin's side menu. Ctrl+B or Cmd+B folds it to its icons, which is remembered for a week; on
 * narrow screens the same opens it as a drawer. Before any script it is a plain list of links.
 */
export function SideMenu({ startsFolded }: { startsFolded: boolean }) {
  const hydrated = useHydrated();
  const [isFolded, setIsFolded] = useState(startsFolded);
  const drawer = useRef<HTMLDialogElement>(null);

  function toggle() {
    if (matchMedia("(width < 48rem)").matches) return toggleDrawer(drawer.current);
    document.cookie = sideMenuCookie(!isFolded);
    setIsFolded(!isFolded);
  }
  useShortcut(toggle);

  return (
    <div className="side" data-folded={isFolded || undefined} data-live={hydrated || undefined}>
      {hydrated && (
        <button
          type="button"
          className="side-toggle"
          onClick={toggle}
          title="Ctrl+B"
          aria-label="Admin menu"
        >
          <Icon name="sidebar" />
          <span className="side-word">Admin menu</span>
        </button>
      )}
      <Parts />
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- a press beside it */}
      <dialog
        ref={drawer}
        className="side-drawer"
        aria-label="Admin Dashboard"
        onMouseDown={closeBeside}
      >
        <button
          type="button"
          className="icon-button"
          aria-label="Close"
          onClick={() => drawer.current?.close()}
        >
          <Icon name="close" />
        </button>
        <Parts onChoose={() => drawer.current?.close()} />
      </dialog>
    </div>
  );
}

function Parts({ onChoose }: { onChoose?: () => void }) {
  return (
    <nav className="side-menu" aria-label="Admin Dashboard">
      {parts.map(({ label, to, icon }) => (
        <NavLink key={to} to={to} end={to === "/admin"} title={label} onClick={onChoose}>
          <Icon name={icon} />
          <span>{label}</span>
        </NavLink>
      ))}
    </nav>
  );
}

function useShortcut(toggle: () => void) {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (
        event.key.toLowerCase() !== "b" ||
        !(event.ctrlKey || event.metaKey) ||
        event.altKey ||
        event.shiftKey
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

function closeBeside({ target, currentTarget }: React.MouseEvent<HTMLDialogElement>) {
  if (target === currentTarget) currentTarget.close();
}
