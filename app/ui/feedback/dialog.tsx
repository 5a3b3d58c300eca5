import { type ReactNode, useEffect, useId, useRef } from "react";
import { Icon } from "../brand/icon.tsx";

/**
 * A native modal dialog. Escape, the close button and a press beside it ask to close it; it stays for
 * as long as `open` says so.
 */
export function Dialog({
  open,
  onClose,
  title,
  children,
  footer,
  width = "narrow",
}: {
  open: boolean;
  onClose(): void;
  title: ReactNode;
  children?: ReactNode;
  /** The buttons: the submitLabel first, the way out second. */
  footer?: ReactNode;
  width?: "narrow" | "wide";
}) {
  const element = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const dialog = element.current;
    if (open && dialog && !dialog.open) {
      dialog.showModal();
      focusFirstField(dialog);
    }
    if (!open) dialog?.close();
  });
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- a press beside the sheet
    <dialog
      ref={element}
      className={`dialog dialog-${width} scroll-area`}
      aria-labelledby={titleId}
      onCancel={(event) => {
        // A file chooser that is cancelled within the dialog is heard here as well.
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        onClose();
      }}
      onClose={() => {
        if (!open) return;
        // Browsers close at a second Escape unasked; whether to close is for the screen to say.
        element.current?.showModal();
        onClose();
      }}
      onMouseDown={(event) => {
        if (event.target !== event.currentTarget) return;
        // The press would take the focus, which goes back to where it was.
        event.preventDefault();
        onClose();
      }}
    >
      {open && (
        <div className="dialog-sheet">
          <header>
            <h2 id={titleId}>{title}</h2>
            <button type="button" className="icon-button" aria-label="Close" onClick={onClose}>
              <Icon name="close" />
            </button>
          </header>
          <div className="dialog-body">{children}</div>
          {footer && <footer>{footer}</footer>}
        </div>
      )}
    </dialog>
  );
}

/** The browser would choose the close button. Under a finger that is better than a keyboard on screen. */
function focusFirstField(dialog: HTMLDialogElement) {
  if (!matchMedia("(hover: hover)").matches) return;
  const fields = ":is(input:not([type=hidden]), select, textarea):not(:disabled)";
  dialog.querySelector<HTMLElement>(`.dialog-body ${fields}`)?.focus();
}
