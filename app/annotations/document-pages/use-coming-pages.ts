import { useEffect } from "react";
import { useRevalidator } from "react-router";

/** The pause in milliseconds. Rendering a page takes about a second. */
const pauseBetweenLooks = 2_000;

/** Reloads the screen's data while pages are being rendered and the tab is visible. */
export function useComingPages(areComing: boolean): void {
  const { revalidate, state } = useRevalidator();
  useEffect(() => {
    if (!areComing || state !== "idle") return undefined;
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") void revalidate();
    }, pauseBetweenLooks);
    return () => clearInterval(timer);
  }, [areComing, revalidate, state]);
}
