import { useState, useSyncExternalStore } from "react";

/** Returns false on the server and during hydration, and true once scripts run. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    subscribeToNothing,
    () => true,
    () => false,
  );
}

/**
 * Returns true if the server rendered this component, and false after a navigation. A server-rendered component must
 * not scroll, move the focus or replace anything.
 */
export function useRenderedByServer(): boolean {
  const hydrated = useHydrated();
  const [rendered] = useState(!hydrated);
  return rendered;
}

function subscribeToNothing() {
  return () => {};
}
