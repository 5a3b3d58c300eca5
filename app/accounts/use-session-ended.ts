import { useEffect, useState } from "react";

/**
 * Becomes true when the session has ended while the screen stood open: in another tab, on another
 * device, or by age. Asked whenever the person comes back to the screen.
 */
export function useSessionEnded(): boolean {
  const [ended, setEnded] = useState(false);
  useEffect(() => {
    const ask = async () => {
      if (document.visibilityState === "visible" && (await isSignedIn()) === false) setEnded(true);
    };
    document.addEventListener("visibilitychange", ask);
    window.addEventListener("focus", ask);
    window.addEventListener("pageshow", ask);
    return () => {
      document.removeEventListener("visibilitychange", ask);
      window.removeEventListener("focus", ask);
      window.removeEventListener("pageshow", ask);
    };
  }, []);
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
