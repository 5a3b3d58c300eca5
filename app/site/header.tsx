import { NavLink, useLocation } from "react-router";
import { memo, type ReactNode, useEffect, useId, useRef } from "react";
import { SignOutForm } from "../accounts/sign-in/session-end.tsx";
import { ButtonLink } from "../ui/form/button.tsx";
import type { Shell } from "./shell.server.ts";
import { ThemeFlip } from "./theme-switch.tsx";
import { Icon } from "../ui/brand/icon.tsx";
import { Link } from "../ui/link.tsx";
import { useIsOpen } from "../ui/popover.ts";
import * as styles from "./header.module.css";
import * as menuStyles from "./menu.module.css";

/** Memoized, so that navigations don't render its many links again. */
export const Header = memo(function Header({ shell }: { shell: Shell }) {
  return (
    <header className={styles.header}>
      <div className={styles.row}>
        <Wordmark name={shell.product.name} />
        <ThemeFlip theme={shell.theme} />
        <Menu>
          <SiteNavigation />
          <div className={styles.account}>
            <AccountLinks shell={shell} />
          </div>
        </Menu>
      </div>
    </header>
  );
});

function SiteNavigation() {
  return (
    <nav className={styles.nav} aria-label="Main">
      <NavLink to="/" end prefetch="intent">
        Home
      </NavLink>
      <NavLink to="/jobs" prefetch="intent">
        Jobs
      </NavLink>
      <NavLink to="/services" prefetch="intent">
        Services
      </NavLink>
      <NavLink to="/about" prefetch="intent">
        About
      </NavLink>
    </nav>
  );
}

function AccountLinks({ shell: { dashboard } }: { shell: Shell }) {
  if (dashboard === undefined) return null;
  if (!dashboard) {
    return (
      <>
        <ButtonLink to="/login" variant="ghost">
          Log in
        </ButtonLink>
        <ButtonLink to="/signup">Sign up</ButtonLink>
      </>
    );
  }
  return (
    <>
      <ButtonLink to={dashboard.to} variant="secondary">
        {dashboard.label}
      </ButtonLink>
      <SignOutForm />
    </>
  );
}

/** The product's name with its mark, a survey station. */
function Wordmark({ name }: { name: string }) {
  return (
    <Link to="/" className={styles.wordmark} prefetch="intent">
      <svg viewBox="0 0 32 32" aria-hidden="true">
        <path d="M16 3 30 28H2z" fill="none" stroke="currentColor" strokeWidth="3.5" />
        <circle cx="16" cy="20" r="3.75" fill="var(--color-accent)" />
      </svg>
      {name}
    </Link>
  );
}

/** Collapses the header on phones. It opens without scripts and closes on navigation. */
function Menu({ children }: { children: ReactNode }) {
  const { key } = useLocation();
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const shownAt = useRef(key);
  const openedAt = useRef(key);
  const { isOpen, onToggle } = useIsOpen(panel);
  useEffect(() => {
    // A menu opened before hydration stays open.
    if (shownAt.current !== key) panel.current!.hidePopover();
    shownAt.current = key;
  }, [key]);
  return (
    <div className={menuStyles.menu}>
      <button type="button" ref={button} popoverTarget={id} aria-expanded={isOpen}>
        <Icon name="menu" />
        <Icon name="close" />
        Menu
      </button>
      <div
        id={id}
        popover="auto"
        ref={panel}
        className={menuStyles.panel}
        onBeforeToggle={({ newState }) => {
          if (newState === "open") openedAt.current = key;
        }}
        onToggle={(event) => {
          onToggle(event);
          // A press outside loses the focus. After a navigation the focus belongs to the page.
          const isHere = event.newState === "closed" && openedAt.current === key;
          if (isHere && document.activeElement === document.body) button.current!.focus();
        }}
      >
        {children}
      </div>
    </div>
  );
}
