import { type MouseEvent, type ReactNode, useId, useRef } from "react";
import { Icon } from "../brand/icon.tsx";
import { useIsOpen } from "../popover.ts";
import { placePopover } from "./place-popover.ts";
import * as buttonStyles from "../form/button.module.css";
import * as styles from "./row-menu.module.css";

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
    <div className={styles.popoverPanel}>
      <button
        type="button"
        className={`${buttonStyles.button} ${buttonStyles.secondary}`}
        popoverTarget={id}
        aria-expanded={isOpen}
        disabled={disabled}
      >
        {label}
        <Icon name="chevron-down" />
      </button>
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- a key on the button inside is a click too */}
      <div
        id={id}
        ref={panel}
        popover="auto"
        onClick={closeOnSubmit}
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

function closeOnSubmit({ currentTarget, target }: MouseEvent<HTMLElement>) {
  if ((target as Element).closest("[type=submit]")) currentTarget.hidePopover();
}
