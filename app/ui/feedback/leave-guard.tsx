import { type ReactNode, useCallback } from "react";
import { useBeforeUnload, useBlocker } from "react-router";
import { Button } from "../form/button.tsx";
import { Dialog } from "./dialog.tsx";

/**
 * Asks before navigating away from this address, and makes the browser ask before leaving the site. A screen has one
 * guard at a time.
 *
 * @param wouldLose returns true if leaving loses something. It must be the same function on each render.
 * @param place "address" guards changes of the query too, "path" only changes of the path
 */
export function LeaveGuard({
  wouldLose,
  place = "address",
  title,
  leave,
  stay,
  children,
}: {
  wouldLose(): boolean;
  place?: "address" | "path";
  title: string;
  /** The label of the button that leaves. */
  leave: string;
  stay: string;
  /** The text that would be lost. */
  children: ReactNode;
}) {
  useBeforeUnload(useCallback((event) => wouldLose() && event.preventDefault(), [wouldLose]));
  const { state, reset, proceed } = useBlocker(
    ({ currentLocation: here, nextLocation: next }) =>
      (here.pathname !== next.pathname ||
        (place === "address" && normalizeQuery(here) !== normalizeQuery(next))) &&
      wouldLose(),
  );
  return (
    <Dialog
      open={state === "blocked"}
      onClose={() => reset?.()}
      title={title}
      submit={
        <Button variant="danger" onClick={() => proceed?.()}>
          {leave}
        </Button>
      }
      leave={stay}
    >
      {children}
    </Dialog>
  );
}

/** Normalizes a query: "?new" and a form's "?new=" are the same. */
function normalizeQuery({ search }: { search: string }): string {
  return new URLSearchParams(search).toString();
}
