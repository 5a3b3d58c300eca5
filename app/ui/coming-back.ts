import { useCallback, useEffect } from "react";
import { useRevalidator } from "react-router";

/** Calls back when the person returns to the page: from another tab or window, or by the browser's Back. */
export function useOnReturn(onReturn: () => void): void {
  useEffect(() => {
    /** Returning from another tab makes the page visible and then focused. Both count as one return. */
    let isSeen = false;
    const onVisibility = () => {
      isSeen = document.visibilityState === "visible";
      if (isSeen) onReturn();
    };
    const onFocus = () => {
      if (!isSeen) onReturn();
      isSeen = false;
    };
    // A page that has just been loaded is no older than what it says.
    const onShow = ({ persisted }: PageTransitionEvent) => persisted && onReturn();
    document.addEventListener("visibilitychange", onVisibility);
    window.addEventListener("focus", onFocus);
    window.addEventListener("pageshow", onShow);
    return () => {
      document.removeEventListener("visibilitychange", onVisibility);
      window.removeEventListener("focus", onFocus);
      window.removeEventListener("pageshow", onShow);
    };
  }, [onReturn]);
}

/**
 * Reads the screen again then: what it tells of goes on while it stands open, for days perhaps.
 *
 * @param isAtWork whether that could take away what somebody is at
 */
export function useRevalidateOnReturn(isAtWork = isNeverBusy): void {
  const { revalidate } = useRevalidator();
  useOnReturn(
    useCallback(() => {
      if (!isAtWork()) void revalidate();
    }, [revalidate, isAtWork]),
  );
}

const isNeverBusy = () => false;

/** Checks whether a dialog is open, or typed text has not been sent. */
export function isPageBusy(): boolean {
  const texts = document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(
    "main :is(textarea, input:not([type=checkbox], [type=radio], [type=file]))",
  );
  return (
    document.querySelector("dialog[open]") !== null ||
    [...texts].some(({ value, defaultValue }) => value !== defaultValue)
  );
}
