import { useState, useSyncExternalStore } from "react";

/** False on the server and while the first rendering is taken over; true once scripts run. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    subscribe,
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

/**
 * Whether something stands in the page that is a dialog otherwise: it does where the server rendered it,
 * and stays so until it is closed, as what was typed by then would be lost in a dialog.
 */
export function useInPage(isOpen: boolean): boolean {
  const hydrated = useHydrated();
  const [isInPage, setIsInPage] = useState(!hydrated);
  if (isInPage && hydrated && !isOpen) setIsInPage(false);
  return isInPage;
}

function subscribe() {
  return () => {};
}
