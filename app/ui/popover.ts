import { type RefObject, type ToggleEvent, useEffect, useState } from "react";

/**
 * Returns the open state of a popover for its button, and `onToggle` for the popover. The state is undefined before
 * hydration, when the browser reports it.
 */
export function useIsOpen(popover: RefObject<HTMLElement | null>) {
  const [isOpen, setIsOpen] = useState<boolean>();
  // It may have been opened before hydration.
  // oxlint-disable-next-line react/set-state-in-effect -- only the DOM knows the state
  useEffect(() => setIsOpen(popover.current!.matches(":popover-open")), [popover]);
  return {
    isOpen,
    onToggle: ({ newState }: ToggleEvent<HTMLElement>) => setIsOpen(newState === "open"),
  };
}
