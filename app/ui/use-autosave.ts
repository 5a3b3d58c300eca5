import { useCallback, useEffect, useRef } from "react";
import { useOnReturn } from "./coming-back.ts";

/** Something that saves itself: an `Autosave`, or several as one. */
export type Saver = {
  flush(options?: { leaving?: boolean }): Promise<boolean>;
  readonly hasUnsaved: boolean;
  /** True when closing the tab would lose something; defaults to `hasUnsaved`. */
  readonly isLostOnClose?: boolean;
};

/**
 * Ties a saver to its page: what is unsaved is sent when the tab is hidden or the screen is left, and the browser asks
 * before it closes a tab that would lose something.
 *
 * @param onReturn called when the tab is seen again or the connection is back; sends what is unsaved unless given
 */
export function useAutosave(saver: Saver, onReturn?: () => void): void {
  const returned = useRef(onReturn);
  useEffect(() => {
    returned.current = onReturn ?? (() => void saver.flush());
  });
  useOnReturn(useCallback(() => returned.current?.(), []));
  useEffect(() => {
    const sendLeaving = () => {
      if (saver.hasUnsaved) void saver.flush({ leaving: true });
    };
    // A phone may never show a hidden tab again.
    const onVisibility = () => document.visibilityState === "hidden" && sendLeaving();
    const onOnline = () => returned.current?.();
    const onClose = (event: BeforeUnloadEvent) => {
      if (saver.isLostOnClose ?? saver.hasUnsaved) event.preventDefault();
    };
    document.addEventListener("visibilitychange", onVisibility);
    window.addEventListener("online", onOnline);
    window.addEventListener("beforeunload", onClose);
    return () => {
      document.removeEventListener("visibilitychange", onVisibility);
      window.removeEventListener("online", onOnline);
      window.removeEventListener("beforeunload", onClose);
      sendLeaving();
    };
  }, [saver]);
}
