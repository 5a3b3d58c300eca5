import { useCallback, useEffect } from "react";
import { useRevalidator } from "react-router";

/** Calls back when the person returns to the page from another tab or window, or with the browser's Back. */
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
    // A freshly loaded page is up to date.
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
 * Revalidates the screen when the person returns, since it may have been open for days.
 *
 * @param isBusy returns true if that could interrupt the person's work
 */
export function useRevalidateOnReturn(isBusy = isNeverBusy): void {
  const { revalidate } = useRevalidator();
  useOnReturn(
    useCallback(() => {
      if (!isBusy()) void revalidate();
    }, [revalidate, isBusy]),
  );
}

const isNeverBusy = () => false;

/** Checks whether a dialog is open or the page has unsent text. */
export function isPageBusy(): boolean {
  const texts = document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(
    "main :is(textarea, input:not([type=checkbox], [type=radio], [type=file]))",
  );
  return (
    document.querySelector("dialog[open]") !== null ||
    [...texts].some(({ value, defaultValue }) => value !== defaultValue)
  );
}
