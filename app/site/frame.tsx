import { memo, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from "react";
import { useLocation, useNavigation, useRouteLoaderData } from "react-router";
import { SessionEndProvider } from "../accounts/sign-in/session-end.tsx";
import type { OwnPath } from "../platform/own-path.ts";
import { Icon } from "../ui/brand/icon.tsx";
import { Spinner } from "../ui/feedback/spinner.tsx";
import { Toasts } from "../ui/feedback/toasts.tsx";
import { Link } from "../ui/link.tsx";
import { reloadPage, consumeFormAnswer } from "../ui/expected-user.ts";
import { Header } from "./header.tsx";
import type { Shell } from "./shell.server.ts";
import { ScriptMark } from "./script-mark.tsx";
import { ThemeChoice } from "./theme-switch.tsx";
import * as styles from "./frame.module.css";
import * as footerStyles from "./footer.module.css";
import * as headerStyles from "./header.module.css";

/** The frame around a screen. */
export function Frame({ shell, children }: { shell: Shell; children: ReactNode }) {
  useReloadForOtherPerson(shell);
  return (
    <SessionEndProvider answer={shell.requestId}>
      {(ended) => (
        <FrameParts shell={ended ? { ...shell, ...nobody } : shell}>{children}</FrameParts>
      )}
    </SessionEndProvider>
  );
}

/**
 * Reloads the page when another person signs in in another tab, since this tab then acts for them too. After a form of
 * this page, a new person is expected.
 */
function useReloadForOtherPerson(shell: Shell): void {
  const shownPerson = useRef(shell.person);
  useLayoutEffect(() => {
    const { person } = shell;
    const isOther = shownPerson.current && person && person !== shownPerson.current;
    if (!consumeFormAnswer() && isOther) reloadPage();
    shownPerson.current = person;
  }, [shell]);
}

const nobody = { dashboard: null, person: undefined, actingAs: null };

function FrameParts({ shell, children }: { shell: Shell; children: ReactNode }) {
  return (
    <>
      <a href="#main" className="skip-link">
        Skip to content
      </a>
      <NavigationProgress />
      <Header shell={shell} />
      <Main>{children}</Main>
      <Footer shell={shell} />
      {shell.demoStyles && <DemoBar styles={shell.demoStyles} actingAs={shell.actingAs} />}
      <Toasts initial={shell.toasts} />
    </>
  );
}

/** The upper edge of the sheet, which moves while another screen loads. */
export function NavigationProgress() {
  const { state, formMethod } = useNavigation();
  const isLate = useDelayed(state !== "idle");
  return (
    <div className={styles.neatline} data-moving={isLate || undefined}>
      {/* A form shows its progress on its button. */}
      {isLate && formMethod !== "POST" && <Spinner />}
    </div>
  );
}

/** Below this time, the indicator would only flash. */
const unnoticedMilliseconds = 150;

function useDelayed(isUnderWay: boolean): boolean {
  const [isLate, setIsLate] = useState(false);
  useEffect(() => {
    if (!isUnderWay) return undefined;
    const timer = setTimeout(() => setIsLate(true), unnoticedMilliseconds);
    return () => {
      clearTimeout(timer);
      setIsLate(false);
    };
  }, [isUnderWay]);
  return isLate;
}

/**
 * Moves the focus to a new screen, as the browser does for a new page, unless the screen has moved it already. It also
 * moves there when a sent form is replaced, since its button had the focus.
 */
function Main({ children }: { children: ReactNode }) {
  const { pathname, hash } = useLocation();
  const { state } = useNavigation();
  const before = useRef(state);
  const main = useRef<HTMLElement>(null);
  const shownPath = useRef(pathname);
  useEffect(() => {
    if (shownPath.current === pathname) return;
    shownPath.current = pathname;
    const isInside = main.current?.contains(document.activeElement);
    if (!hash && !isInside) main.current?.focus({ preventScroll: true });
  }, [pathname, hash]);
  useEffect(() => {
    const isOver = before.current !== "idle" && state === "idle";
    before.current = state;
    if (isOver && document.activeElement === document.body)
      main.current?.focus({ preventScroll: true });
  }, [state]);
  return (
    <main id="main" className={styles.main} tabIndex={-1} ref={main}>
      {children}
    </main>
  );
}

const productLinks = [
  ["/jobs", "Jobs"],
  ["/services", "Services"],
  ["/about", "About"],
  ["/contact", "Contact"],
  ["/faq", "FAQ"],
  ["/post", "Post a job"],
] as const;

const legalLinks = [
  ["/privacy", "Privacy"],
  ["/terms", "Terms"],
  ["/refund", "Refunds"],
  ["/trust", "Trust"],
  ["/accessibility", "Accessibility"],
] as const;

/** Memoized, so that navigations don't render its many links again. */
const Footer = memo(function Footer({ shell }: { shell: Shell }) {
  const { name, supportPhone, supportEmail, socialProfiles, officer } = shell.product;
  return (
    <footer className={footerStyles.footer}>
      <div className={footerStyles.row}>
        <div>
          <ScriptMark name={name} />
          <p className={footerStyles.claim}>
            Real design jobs in India, with a real person at each company to ask.
          </p>
        </div>
        <LinkColumn title="Explore" links={productLinks} />
        <LinkColumn title="Legal" links={legalLinks} />
        <section>
          <h2>Contact us</h2>
          <ul>
            <li>
              <a href={`tel:${supportPhone.replace(/\s/g, "")}`}>
                <Icon name="phone" />
                {supportPhone}
              </a>
            </li>
            <li>
              <a href={`mailto:${supportEmail}`}>
                <Icon name="mail" />
                {supportEmail}
              </a>
            </li>
            {socialProfiles.map(({ label, url }) => (
              <li key={label}>
                <a href={url} target="_blank" rel="noreferrer">
                  <Icon name="external" />
                  {label}
                </a>
              </li>
            ))}
          </ul>
        </section>
      </div>
      <div className={footerStyles.end}>
        <p>{`© ${shell.year} ${name}. All rights reserved.`}</p>
        <p>
          <Link to="/contact#grievance-officer">{`Grievance officer: ${officer}`}</Link>
        </p>
        <ThemeChoice theme={shell.theme} />
      </div>
    </footer>
  );
});

function LinkColumn({
  title,
  links,
}: {
  title: string;
  links: readonly (readonly [OwnPath, string])[];
}) {
  return (
    <nav aria-label={title}>
      <h2>{title}</h2>
      <ul>
        {links.map(([to, label]) => (
          <li key={to}>
            <Link to={to}>{label}</Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Marks the site as a demo, and links to the demo accounts and their inbox. */
function DemoBar({ styles, actingAs }: { styles: string; actingAs: string | null }) {
  return (
    <aside className="demo-bar" aria-label="Demo">
      {/* In the page, so that a demo waits for no more files than the real product. */}
      <style dangerouslySetInnerHTML={{ __html: styles }} />
      <span>
        <strong>Demo</strong> No real payments, no real emails.
        {actingAs && <span className={headerStyles.onWideInline}> You are {actingAs}.</span>}
      </span>
      {/* Not a router link, since the server renders the demo's own pages. */}
      <a href="/demo">Demo accounts and inbox</a>
    </aside>
  );
}

/** Returns the frame's data, such as the product's name and the signed-in person. */
export function useShell(): Shell {
  const shell = useRouteLoaderData<Shell>("root");
  if (!shell) throw new Error("The root's data is missing.");
  return shell;
}
