import { useEffect } from "react";
import { showToast } from "./toasts.tsx";

/**
 * Shows a toast for each part that could not be loaded, on every load.
 *
 * @param loaded the loader's data, a new object for each load
 */
export function useProblemToasts(loaded: object, ...problems: (string | null)[]): void {
  const titles = problems.filter(Boolean).join("\n");
  useEffect(() => {
    for (const title of titles.split("\n")) if (title) showToast({ kind: "error", title });
    // oxlint-disable-next-line react/exhaustive-deps -- another load shows the same toasts again
  }, [loaded, titles]);
}
