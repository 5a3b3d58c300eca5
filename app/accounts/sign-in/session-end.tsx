import {
  createContext,
  type ReactNode,
  type SubmitEvent,
  useContext,
  useMemo,
  useState,
} from "react";
import { useNavigate } from "react-router";
import { day, second } from "../../platform/clock.ts";
import { setCookie } from "../../platform/cookies.ts";
import { showToast } from "../../ui/feedback/toasts.tsx";
import { Button } from "../../ui/form/button.tsx";
import { leavingCookie } from "./leaving-cookie.ts";

/**
 * Signs out: first in this browser, then on the server, and always leads to the sign-in screen. If the server
 * could not be reached, it ends the session at the next request.
 */
export function SignOutForm() {
  const navigate = useNavigate();
  const { onEnd } = useContext(sessionEnd);
  const leave = async (event: SubmitEvent) => {
    event.preventDefault();
    document.cookie = setCookie(leavingCookie, "1", (30 * day) / second, location);
    onEnd();
    const problem = await signOutOnServer();
    if (problem) showToast({ kind: "error", title: problem });
    await navigate("/login");
  };
  return (
    <form method="post" action="/logout" onSubmit={(event) => void leave(event)}>
      <Button type="submit" variant="ghost">
        Sign out
      </Button>
    </form>
  );
}

/** Avoids the router, which could not load what it needs to send a form while offline. */
async function signOutOnServer(): Promise<string | null> {
  try {
    const answer = await fetch("/logout", {
      method: "POST",
      body: new URLSearchParams(),
      redirect: "manual",
      signal: AbortSignal.timeout(10_000),
    });
    return answer.type === "opaqueredirect" ? null : "There was a problem signing out.";
  } catch {
    return "There was a problem signing out. You have been redirected to the login page.";
  }
}

type SessionEnd = { ended: boolean; onEnd(): void };

/** The state of the session in the page, and the way to report its end. */
export const sessionEnd = createContext<SessionEnd>({ ended: false, onEnd() {} });

/**
 * Around all that shows who is signed in: what one screen learns of the session's end, all of it knows.
 *
 * @param answer whatever changes with each answer of the server, which knows better again
 */
export function SessionEndProvider({
  answer,
  children,
}: {
  answer: string;
  children: (ended: boolean) => ReactNode;
}) {
  const [endedIn, setEndedIn] = useState<string | null>(null);
  const ended = endedIn === answer;
  const known = useMemo(() => ({ ended, onEnd: () => setEndedIn(answer) }), [ended, answer]);
  return <sessionEnd.Provider value={known}>{children(ended)}</sessionEnd.Provider>;
}
