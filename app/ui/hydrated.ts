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
 * Whether the server rendered this component and scripts took it over, rather than a navigation within
 * the page: then it is not theirs to scroll, to move the focus or to put something else in its place.
 */
export function useRenderedByServer(): boolean {
  const hydrated = useHydrated();
  const [rendered] = useState(!hydrated);
  return rendered;
}

function subscribeToNothing() {
  return () => {};
}
