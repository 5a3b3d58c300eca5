import { useEffect } from "react";
import { showToast } from "./toasts.tsx";

/**
 * Shows a toast for each part that could not be loaded, on every load.
 *
 * @param loaded what the loader gave, another object at each reading
 */
export function useProblemToasts(loaded: object, ...problems: (string | null)[]): void {
  const words = problems.filter(Boolean).join("\n");
  useEffect(() => {
    for (const title of words.split("\n")) if (title) showToast({ kind: "error", title });
    // oxlint-disable-next-line react/exhaustive-deps -- the same words of another reading are said again
  }, [loaded, words]);
}
