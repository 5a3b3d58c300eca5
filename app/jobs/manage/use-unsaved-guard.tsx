import { type RefObject, useCallback } from "react";
import { useBeforeUnload, useBlocker } from "react-router";
import { Button } from "../../ui/form/button.tsx";
import { Dialog } from "../../ui/feedback/dialog.tsx";
import type { JobValues } from "./rules.ts";

/**
 * Keeps a form that was changed from being left by a stray press: closing it, going elsewhere and
 * going back ask first, and so does the browser before it leaves the product.
 *
 * @param saved what the form held before it was changed
 * @returns the question, to be drawn beside the form
 */
export function useUnsavedGuard(form: RefObject<HTMLFormElement | null>, saved: JobValues | null) {
  const isChanged = useCallback(
    () => saved !== null && form.current !== null && differs(new FormData(form.current), saved),
    [form, saved],
  );
  useBeforeUnload(useCallback((event) => isChanged() && event.preventDefault(), [isChanged]));
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      `${currentLocation.pathname}${currentLocation.search}` !==
        `${nextLocation.pathname}${nextLocation.search}` && isChanged(),
  );
  return (
    <Dialog
      open={blocker.state === "blocked"}
      onClose={() => blocker.reset?.()}
      title="Discard your changes?"
      submit={
        <Button variant="danger" onClick={() => blocker.proceed?.()}>
          Discard changes
        </Button>
      }
      leave="Keep editing"
    >
      <p>What you wrote into this job listing is not saved yet.</p>
    </Dialog>
  );
}

function differs(typed: FormData, saved: JobValues): boolean {
  return Object.entries(saved).some(([name, value]) => {
    const now = typed.get(name);
    return typeof now === "string" && lineEnds(now) !== lineEnds(value);
  });
}

function lineEnds(text: string): string {
  return text.replace(/\r\n?/g, "\n");
}
