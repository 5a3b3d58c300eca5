import { type RefObject, type ToggleEvent, useEffect, useState } from "react";

/**
 * Returns whether a popover is open, for the button that opens it; undefined before hydration, when the browser
 * reports it itself. Pass `onToggle` to the popover.
 */
export function useIsOpen(popover: RefObject<HTMLElement | null>) {
  const [isOpen, setIsOpen] = useState<boolean>();
  // It may have been opened before the scripts came.
  // oxlint-disable-next-line react/set-state-in-effect -- only the page itself knows
  useEffect(() => setIsOpen(popover.current!.matches(":popover-open")), [popover]);
  return {
    isOpen,
    onToggle: ({ newState }: ToggleEvent<HTMLElement>) => setIsOpen(newState === "open"),
  };
}
