import { useCallback, useContext } from "react";
import { useOnReturn } from "../../ui/coming-back.ts";
import { sessionEnd } from "./session-end.tsx";

/**
 * Returns true once the session has ended while the screen is open: in another tab, on another device or by
 * expiry. Checks each time the person returns to the screen.
 *
 * @param onValid called if the session is still valid
 * @param onEnded called if it has ended, but not after signing out in this tab
 */
export function useSessionEnded(onValid: () => void, onEnded: () => void): boolean {
  const { ended, onEnd } = useContext(sessionEnd);
  const check = useCallback(async () => {
    const signedIn = await isSignedIn();
    if (signedIn) onValid();
    if (signedIn !== false || ended) return;
    onEnd();
    onEnded();
  }, [ended, onEnd, onEnded, onValid]);
  useOnReturn(check);
  return ended;
}

/** Returns null if unknown, as when offline. */
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
