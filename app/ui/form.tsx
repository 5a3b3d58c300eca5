import { useEffect } from "react";

/** After a refused submit, moves focus to the first field with an error, or else to the form's alert. */
export function useFocusFirstError(errors: Record<string, string> | undefined): void {
  useEffect(() => {
    if (!errors || Object.keys(errors).length === 0) return;
    const field = document.querySelector<HTMLElement>('main [aria-invalid="true"]');
    const alert = document.querySelector<HTMLElement>("main .form-alert");
    (field ?? alert)?.focus();
  }, [errors]);
}
