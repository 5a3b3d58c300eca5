import { type ReactNode, useId, useRef } from "react";
import { Icon } from "../brand/icon.tsx";
import { useIsOpen } from "../popover.ts";
import { placePopover } from "./place-popover.ts";

/**
 * A button that opens a small panel with fields of the form around it. It works without scripts. Escape or a press
 * outside closes it.
 */
export function PopoverPanel({
  label,
  disabled,
  children,
}: {
  label: ReactNode;
  disabled?: boolean;
  children: ReactNode;
}) {
  const id = useId();
  const panel = useRef<HTMLDivElement>(null);
  const { isOpen, onToggle } = useIsOpen(panel);
  return (
    <div className="popover-panel">
      <button
        type="button"
        className="button button-secondary button-md"
        popoverTarget={id}
        aria-expanded={isOpen}
        disabled={disabled}
      >
        {label}
        <Icon name="chevron-down" />
      </button>
      <div
        id={id}
        ref={panel}
        popover="auto"
        onToggle={(event) => {
          onToggle(event);
          placePopover(event);
        }}
      >
        {children}
      </div>
    </div>
  );
}
