import { useEffect, useRef, useState } from "react";
import { NavigationType, useLocation, useNavigation, useNavigationType } from "react-router";
import { getActiveNavigation } from "../navigations.ts";

/** The state of the navigations that a form of filters causes. */
export const byFilters = { byFilters: true };

/**
 * Changes when the address does for another reason than filters: a link, or going back. Only then does
 * their form take over the address; at other times it would undo what is being typed, and lose the focus.
 */
export function useFilterFormKey(): number {
  const { key, state } = useLocation();
  const isBack = useNavigationType() === NavigationType.Pop;
  // Counted, as going back leads to a key that was there before.
  const [seen, setSeen] = useState({ key, outside: 0 });
  if (seen.key !== key) {
    const isOwn = state?.byFilters && !isBack;
    setSeen({ key, outside: isOwn ? seen.outside : seen.outside + 1 });
  }
  return seen.outside;
}

/** A pause in typing after which a search is done, in milliseconds. */
const debounceMs = 250;

/** Delays a search until typing pauses. Leaving the screen cancels it. */
export function useSearchDebounce() {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const { pathname } = useLocation();
  const goingTo = useNavigation().location?.pathname;
  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    if (goingTo && goingTo !== pathname) clearTimeout(timer.current);
  }, [goingTo, pathname]);
  return {
    end: () => clearTimeout(timer.current),
    before(search: () => void) {
      clearTimeout(timer.current);
      timer.current = setTimeout(() => {
        const to = getActiveNavigation()?.to;
        if (!to || new URL(to, location.href).pathname === pathname) search();
      }, debounceMs);
    },
  };
}
