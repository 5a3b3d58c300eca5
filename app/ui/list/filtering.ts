import { useEffect, useRef, useState } from "react";
import { NavigationType, useLocation, useNavigation, useNavigationType } from "react-router";
import { getActiveNavigation } from "../navigations.ts";

/** The state of navigations caused by a filter form. */
export const byFilters = { byFilters: true };

/**
 * Returns a key that changes when a link or the back button changes the address, so that the filter form takes its
 * values from the address. After its own changes, that would undo typed text and lose the focus.
 */
export function useFilterFormKey(): number {
  const { key, state } = useLocation();
  const isBack = useNavigationType() === NavigationType.Pop;
  // A counter, since going back returns to an earlier key.
  const [previous, setPrevious] = useState({ key, outside: 0 });
  if (previous.key !== key) {
    const isOwn = state?.byFilters && !isBack;
    setPrevious({ key, outside: isOwn ? previous.outside : previous.outside + 1 });
  }
  return previous.outside;
}

/** The pause in typing before a search starts. */
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
