import { NavLink, useLocation } from "react-router";
import { memo, type ReactNode, type RefObject, useEffect, useRef } from "react";
import { SignOutForm } from "../accounts/sign-in/session-end.tsx";
import { ButtonLink } from "../ui/form/button.tsx";
import type { Shell } from "./shell.server.ts";
import { ThemeFlip } from "./theme-switch.tsx";
import { Icon } from "../ui/brand/icon.tsx";
import { Link } from "../ui/link.tsx";

/** Its many links are not rendered again at each step of a navigation. */
export const Header = memo(function Header({ shell }: { shell: Shell }) {
  return (
    <header className="site-header">
      <div className="site-header-row">
        <Wordmark name={shell.product.name} />
        <div className="on-wide">
          <Sections />
        </div>
        <ThemeFlip theme={shell.theme} />
        <div className="site-account on-wide">
          <Account shell={shell} />
        </div>
        <Menu>
          <Sections />
          <div className="site-account">
            <Account shell={shell} />
          </div>
        </Menu>
      </div>
    </header>
  );
});

function Sections() {
  return (
    <nav className="site-nav" aria-label="Main">
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

function Account({ shell: { dashboard } }: { shell: Shell }) {
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

/** The product's name beside its mark: a survey station, the fixed point that maps are drawn from. */
function Wordmark({ name }: { name: string }) {
  return (
    <Link to="/" className="wordmark" prefetch="intent">
      <svg viewBox="0 0 32 32" aria-hidden="true">
        <path d="M16 3 30 28H2z" fill="none" stroke="currentColor" strokeWidth="3.5" />
        <circle cx="16" cy="20" r="3.75" fill="var(--color-accent)" />
      </svg>
      {name}
    </Link>
  );
}

/** Folds the header away on phones. It opens without scripts, and closes on navigation. */
function Menu({ children }: { children: ReactNode }) {
  const { key } = useLocation();
  const details = useRef<HTMLDetailsElement>(null);
  useClosing(details);
  return (
    <details key={key} ref={details} className="menu">
      <summary>
        <Icon name="menu" />
        <Icon name="close" />
        Menu
      </summary>
      <div className="menu-panel">{children}</div>
    </details>
  );
}

/** Also closes on Escape and on a press outside; the focus goes back unless the press has taken it. */
function useClosing(details: RefObject<HTMLDetailsElement | null>): void {
  useEffect(() => {
    const close = () => {
      const menu = details.current;
      if (!menu?.open) return;
      const { activeElement } = document;
      const isElsewhere = activeElement?.matches(":is(a, button, input, select, textarea)");
      const staysThere = isElsewhere && !menu.contains(activeElement);
      menu.open = false;
      if (!staysThere) menu.querySelector("summary")?.focus();
    };
    const onKey = (event: KeyboardEvent) => {
      if (event.key === "Escape") close();
    };
    const onPress = (event: MouseEvent) => {
      if (!details.current?.contains(event.target as Node)) close();
    };
    document.addEventListener("keydown", onKey);
    document.addEventListener("click", onPress);
    return () => {
      document.removeEventListener("keydown", onKey);
      document.removeEventListener("click", onPress);
    };
  }, [details]);
}
