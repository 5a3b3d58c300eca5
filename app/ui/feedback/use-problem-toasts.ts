import { useEffect } from "react";
import { showToast } from "./toasts.tsx";

/** Tells what could not be loaded. */
export function useProblemToasts(...problems: (string | null)[]): void {
  const words = problems.filter(Boolean).join("\n");
  useEffect(() => {
    for (const title of words.split("\n")) if (title) showToast({ kind: "error", title });
  }, [words]);
}
