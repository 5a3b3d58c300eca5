import { type ReactNode, useEffect, useRef, useState } from "react";
import { useLocation, useNavigation, useRouteLoaderData } from "react-router";
import { SessionEndProvider } from "../accounts/sign-in/session-end.tsx";
import { Spinner } from "../ui/feedback/spinner.tsx";
import { Toasts } from "../ui/feedback/toasts.tsx";
import { Footer } from "./footer.tsx";
import { Header } from "./header.tsx";
import type { Shell } from "./shell.server.ts";

/** Everything around a screen. */
export function Frame({ shell: answered, children }: { shell: Shell; children: ReactNode }) {
  return (
    <SessionEndProvider answer={answered.requestId}>
      {(ended) => <Around shell={ended ? { ...answered, ...nobody } : answered}>{children}</Around>}
    </SessionEndProvider>
  );
}

const nobody = { dashboard: null, actingAs: null };

function Around({ shell, children }: { shell: Shell; children: ReactNode }) {
  return (
    <>
      <a href="#main" className="skip-link">
        Skip to content
      </a>
      <Neatline />
      <Header shell={shell} />
      <Main>{children}</Main>
      <Footer shell={shell} />
      {shell.isDemo && <DemoBar actingAs={shell.actingAs} />}
      <Toasts initial={shell.toasts} />
    </>
  );
}

/** The upper edge of the sheet, which moves and says so while another screen is on its way. */
export function Neatline() {
  const { state, formMethod } = useNavigation();
  const isLate = useLate(state !== "idle");
  return (
    <div className="neatline" data-moving={isLate || undefined}>
      {/* A form that is sent says so on its button. */}
      {isLate && formMethod !== "POST" && <Spinner />}
    </div>
  );
}

/** Shorter than this, a word about it would only flash. */
const unnoticedMilliseconds = 150;

function useLate(isUnderWay: boolean): boolean {
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
 * A new screen takes the focus, as a new page would; one that has placed it already keeps it. So does
 * what replaced a form that was sent, as the focus was on its button.
 */
function Main({ children }: { children: ReactNode }) {
  const { pathname, hash } = useLocation();
  const { state } = useNavigation();
  const before = useRef(state);
  const main = useRef<HTMLElement>(null);
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    const placed = main.current?.contains(document.activeElement);
    if (!hash && !placed) main.current?.focus({ preventScroll: true });
  }, [pathname, hash]);
  useEffect(() => {
    const ended = before.current !== "idle" && state === "idle";
    before.current = state;
    if (ended && document.activeElement === document.body)
      main.current?.focus({ preventScroll: true });
  }, [state]);
  return (
    <main id="main" className="site-main" tabIndex={-1} ref={main}>
      {children}
    </main>
  );
}

/** Says that nothing here is real, and leads to the people to sign in as and to their mail. */
function DemoBar({ actingAs }: { actingAs: string | null }) {
  return (
    <aside className="demo-bar" aria-label="Demo">
      <span>
        <strong>Demo</strong> No money moves, mail is captured.
        {actingAs && <span className="on-wide-inline"> You are {actingAs}.</span>}
      </span>
      {/* Not a screen of the router: the stand-ins render their own pages. */}
      <a href="/demo">People and mailbox</a>
    </aside>
  );
}

/** What the frame knows: the product's facts, who is signed in, whether this is a demo. */
export function useShell(): Shell {
  const shell = useRouteLoaderData<Shell>("root");
  if (!shell) throw new Error("The root's data is missing.");
  return shell;
}
