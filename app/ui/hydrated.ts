import { useSyncExternalStore } from "react";

/** False on the server and while the first drawing is taken over; true once scripts run. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => true,
    () => false,
  );
}

function subscribe() {
  return () => {};
}
