import { useCallback, useEffect, useRef } from "react";
import { useOnReturn } from "./coming-back.ts";

/** An `Autosave`, or several as one. */
type Saver = {
  flush(options?: { leaving?: boolean }): Promise<boolean>;
  readonly hasUnsaved: boolean;
  /** True if closing the tab would lose something. Defaults to `hasUnsaved`. */
  readonly isLostOnClose?: boolean;
};

/**
 * Connects a saver to its page. Unsaved values are sent when the tab is hidden or the screen is left, and the browser
 * asks before closing a tab that would lose some.
 *
 * @param onReturn called when the person or the connection returns. By default it sends unsaved values.
 */
export function useAutosave(saver: Saver, onReturn?: () => void): void {
  const handleReturn = useRef(onReturn);
  useEffect(() => {
    handleReturn.current = onReturn ?? (() => void saver.flush());
  });
  useOnReturn(useCallback(() => handleReturn.current?.(), []));
  useEffect(() => {
    const sendLeaving = () => {
      if (saver.hasUnsaved) void saver.flush({ leaving: true });
    };
    // A phone may never show a hidden tab again.
    const onVisibility = () => document.visibilityState === "hidden" && sendLeaving();
    const onOnline = () => handleReturn.current?.();
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
