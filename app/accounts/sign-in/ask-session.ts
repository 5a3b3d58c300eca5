import { useCallback, useContext } from "react";
import { useOnReturn } from "../../ui/coming-back.ts";
import { sessionEnd } from "./session-end.tsx";

/**
 * Becomes true when the session has ended while the screen stood open: in another tab, on another
 * device, or by age. Asked whenever the person comes back to the screen.
 *
 * @param onLasting is called then where it still lasts
 * @param onFound is called where it is found to have ended; not for who signs out right here
 */
export function useSessionEnded(onLasting: () => void, onFound: () => void): boolean {
  const { ended, onEnd } = useContext(sessionEnd);
  const ask = useCallback(async () => {
    const signedIn = await isSignedIn();
    if (signedIn) onLasting();
    if (signedIn !== false || ended) return;
    onEnd();
    onFound();
  }, [ended, onEnd, onFound, onLasting]);
  useOnReturn(ask);
  return ended;
}

/** Null when it cannot be told, as without a network. */
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
