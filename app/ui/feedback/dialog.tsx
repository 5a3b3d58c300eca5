import { type ReactNode, useEffect, useId, useRef } from "react";
import { Icon } from "../brand/icon.tsx";
import { Button, ButtonLink, type ButtonProps } from "../form/button.tsx";
import { useInPage } from "../hydrated.ts";
import { Card } from "../layout/card.tsx";
import { showToast } from "./toasts.tsx";

/** What is shown of a dialog. */
export type Shown = {
  open: boolean;
  title: string;
  /** Only rendered while it is open. */
  children: ReactNode;
  width?: "narrow" | "wide";
};

/**
 * A modal dialog. Escape, the close button, the way out and a press beside it ask to close it; it stays
 * for as long as `open` says so. One that an address opens is a card in the page where the server
 * rendered it.
 */
export function Dialog({
  closed,
  submit,
  leave = "Cancel",
  leaveProps,
  isSending = () => false,
  onClose: close,
  ...shown
}: Shown & {
  /** @param isMeant by its way out or its close button, and not by a press beside it or a key */
  onClose(isMeant: boolean): void;
  /**
   * Whether what it is for is under way, and it is not to be closed. Asked at each press: the router tells of
   * what it sends with a later rendering than the next key.
   */
  isSending?(): boolean;
  /** The address without the dialog, where one opens it. */
  closed?: string;
  /** The button that does what the dialog is for. */
  submit?: ReactNode;
  /** The words of the way out. */
  leave?: string;
  leaveProps?: Pick<ButtonProps, "variant" | "disabled">;
}) {
  const { open, title, children, width = "narrow" } = shown;
  const isInPage = useInPage(open) && closed !== undefined;
  function onClose(isMeant: boolean) {
    if (!isSending()) return close(isMeant);
    showToast({ kind: "warning", title: "Please wait, changes are being saved..." });
  }
  if (!isInPage) {
    const out = (
      <Button variant="ghost" {...leaveProps} onClick={() => onClose(true)}>
        {leave}
      </Button>
    );
    return <Modal {...shown} onClose={onClose} width={width} submit={submit} out={out} />;
  }
  const out = (
    <ButtonLink
      to={closed}
      variant={leaveProps?.variant ?? "ghost"}
      onClick={(event) => {
        event.preventDefault();
        onClose(true);
      }}
    >
      {leave}
    </ButtonLink>
  );
  const footer = (
    <>
      {submit}
      {out}
    </>
  );
  return (
    open && (
      <Card title={title} footer={footer} className={`dialog-in-page dialog-in-page-${width}`}>
        {children}
      </Card>
    )
  );
}

function Modal({
  open,
  onClose,
  title,
  width,
  submit,
  out,
  children,
}: Shown & { onClose(isMeant: boolean): void; submit: ReactNode; out: ReactNode }) {
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
        onClose(false);
      }}
      onClose={() => {
        if (!open) return;
        // Browsers close at a second Escape unasked; whether to close is for the screen to say.
        element.current?.showModal();
        onClose(false);
      }}
      onMouseDown={(event) => {
        if (event.target !== event.currentTarget) return;
        // The press would take the focus, which goes back to where it was.
        event.preventDefault();
        onClose(false);
      }}
    >
      {open && (
        <div className="dialog-sheet">
          <header>
            <h2 id={titleId}>{title}</h2>
            <button
              type="button"
              className="icon-button"
              aria-label="Close"
              onClick={() => onClose(true)}
            >
              <Icon name="close" />
            </button>
          </header>
          <div className="dialog-body">{children}</div>
          <footer>
            {submit}
            {out}
          </footer>
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
