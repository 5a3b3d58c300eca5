import { useState, useSyncExternalStore } from "react";

/** False on the server and while the first rendering is taken over; true once scripts run. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    subscribeToNothing,
    () => true,
    () => false,
  );
}

/**
 * Returns whether the server rendered this component and scripts hydrated it, rather than a navigation. Then it
 * must not scroll, move the focus or replace anything.
 */
export function useRenderedByServer(): boolean {
  const hydrated = useHydrated();
  const [rendered] = useState(!hydrated);
  return rendered;
}

function subscribeToNothing() {
  return () => {};
}
