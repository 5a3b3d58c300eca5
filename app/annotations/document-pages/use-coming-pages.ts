import { useEffect } from "react";
import { useRevalidator } from "react-router";

/** In milliseconds; a page takes about a second to be made. */
const pauseBetweenLooks = 2_000;

/** Reads the screen anew while pages are being made, as long as somebody looks at it. */
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
