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
import type { OwnPath } from "../../platform/own-path.ts";
import { showToast } from "../../ui/feedback/toasts.tsx";
import { Button } from "../../ui/form/button.tsx";
import { leavingCookie } from "./leaving-cookie.ts";

/**
 * Signs out in this browser, then on the server, and always goes to the sign-in screen. If the server can't be
 * reached, it ends the session at the next request.
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
    await navigate("/login" satisfies OwnPath);
  };
  return (
    <form
      method="post"
      action={"/logout" satisfies OwnPath}
      onSubmit={(event) => void leave(event)}
    >
      <Button type="submit" variant="ghost">
        Sign out
      </Button>
    </form>
  );
}

/** Avoids the router, which can't load the code that it needs to send a form while offline. */
async function signOutOnServer(): Promise<string | null> {
  try {
    const answer = await fetch("/logout" satisfies OwnPath, {
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

/** The state of the session on this page, and a callback to report its end. */
export const sessionEnd = createContext<SessionEnd>({ ended: false, onEnd() {} });

/**
 * Wraps everything that shows who is signed in, and shares the end of the session with it.
 *
 * @param answer a value that changes with each answer from the server, and so resets the state
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
  const value = useMemo(() => ({ ended, onEnd: () => setEndedIn(answer) }), [ended, answer]);
  return <sessionEnd.Provider value={value}>{children(ended)}</sessionEnd.Provider>;
}
