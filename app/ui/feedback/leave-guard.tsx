import { type ReactNode, useCallback } from "react";
import { useBeforeUnload, useBlocker } from "react-router";
import { Button } from "../form/button.tsx";
import { Dialog } from "./dialog.tsx";

/**
 * Asks before this address is left for another, and has the browser ask before the product is left. A screen has one
 * at a time.
 *
 * @param wouldLose whether something is lost by leaving, asked at each try; the same function at each rendering
 * @param place what is left: the address with its query, or its path alone, whose every query shows the same screen
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
  /** The words of the button that leaves. */
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

/** Normalizes a query: "?new" and "?new=", which a form makes of it, are the same. */
function normalizeQuery({ search }: { search: string }): string {
  return new URLSearchParams(search).toString();
}
