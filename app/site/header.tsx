import { NavLink } from "react-router";
import { SignOutForm } from "../accounts/sign-in/sign-out-form.tsx";
import { ButtonLink } from "../ui/form/button.tsx";
import type { Shell } from "./frame.tsx";
import { Menu } from "./menu.tsx";
import { ThemeFlip } from "./theme-switch.tsx";
import { Wordmark } from "./wordmark.tsx";

export function Header({ shell }: { shell: Shell }) {
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
}

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
