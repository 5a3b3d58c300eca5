import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from "react";

type SessionEnd = { ended: boolean; onEnd(): void };

const sessionEnd = createContext<SessionEnd>({ ended: false, onEnd() {} });

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

/**
 * Becomes true when the session has ended while the screen stood open: in another tab, on another
 * device, or by age. Asked whenever the person comes back to the screen.
 */
export function useSessionEnded(): boolean {
  const { ended, onEnd } = useContext(sessionEnd);
  useEffect(() => {
    const ask = async () => {
      if (document.visibilityState === "visible" && (await isSignedIn()) === false) onEnd();
    };
    document.addEventListener("visibilitychange", ask);
    window.addEventListener("focus", ask);
    window.addEventListener("pageshow", ask);
    return () => {
      document.removeEventListener("visibilitychange", ask);
      window.removeEventListener("focus", ask);
      window.removeEventListener("pageshow", ask);
    };
  }, [onEnd]);
  return ended;
}

/** Null when nobody can say, such as without a network. */
async function isSignedIn(): Promise<boolean | null> {
  try {
    const answer = await fetch("/session", { cache: "no-store" });
    if (!answer.ok) return null;
    const { signedIn } = (await answer.json()) as { signedIn: boolean };
    return signedIn;
  } catch {
    return null;
  }
}
