import { type RefObject, type ToggleEvent, useEffect, useState } from "react";

/**
 * Whether a popover is open, for the button that opens it; undefined before the scripts, where the browser says it by
 * itself. `onToggle` is for the popover.
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
