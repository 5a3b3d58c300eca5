import { useEffect, useRef } from "react";
import { useRenderedByServer } from "../hydrated.ts";

/**
 * After a refused submit, moves focus to the first field with an error, or else to the form's alert. Not
 * where the page came with it: somebody may be typing by the time scripts run.
 */
export function useFocusFirstError(errors: Record<string, string> | undefined): void {
  const seen = useRef(useRenderedByServer() ? errors : undefined);
  useEffect(() => {
    if (errors === seen.current) return;
    seen.current = errors;
    if (!errors || Object.keys(errors).length === 0) return;
    const field = document.querySelector<HTMLElement>('main [aria-invalid="true"]');
    const alert = document.querySelector<HTMLElement>("main .form-alert");
    (field ?? alert)?.focus();
  }, [errors]);
}
