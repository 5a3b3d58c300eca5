import {
  createContext,
  type ReactNode,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { Icon } from "../brand/icon.tsx";
import { Button, ButtonLink, type ButtonProps } from "../form/button.tsx";
import { useHydrated } from "../hydrated.ts";
import { showToast } from "./toasts.tsx";

/** The props of a dialog. */
export type DialogProps = {
  open: boolean;
  title: string;
  /** Only rendered while it is open. */
  children: ReactNode;
  width?: "narrow" | "wide";
};

/** True inside a dialog that is shown as a card in the page. */
export const InPage = createContext(false);

/**
 * A modal dialog. Escape, the close button, the way out and a press beside it ask to close it; it stays
 * for as long as `open` says so. One that an address opens is a card in the page where the server
 * rendered it, until scripts come.
 */
export function Dialog({
  open,
  title,
  children,
  width = "narrow",
  closed,
  submit,
  leave = "Cancel",
  leaveProps,
  isSending = () => false,
  onClose: close,
}: DialogProps & {
  /** @param isMeant by its way out or its close button, and not by a press beside it or a key */
  onClose(isMeant: boolean): void;
  /**
   * Returns whether the dialog's action is under way, so that it must stay open. Called at each press: the
   * router reports what it sends only with a later render than the next key.
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
  const element = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const isInPage = useInPage(open, closed !== undefined) && open;
  function onClose(isMeant: boolean) {
    if (!isSending()) return close(isMeant);
    showToast({ kind: "warning", title: "Please wait, changes are being saved..." });
  }
  useEffect(() => {
    const dialog = element.current;
    if (isInPage) return;
    if (open && dialog && !dialog.open) {
      dialog.showModal();
      focusFirstField(dialog);
    }
  });
  // Before another one opens, which then gives the focus back to where it was before this one.
  useLayoutEffect(() => {
    if (!open) element.current?.close();
  });
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- a press beside the sheet
    <dialog
      ref={element}
      open={isInPage || undefined}
      className={
        isInPage
          ? `card dialog-in-page dialog-in-page-${width}`
          : `dialog dialog-${width} scroll-area`
      }
      aria-labelledby={titleId}
      onCancel={(event) => {
        // A file chooser that is cancelled within the dialog is heard here as well.
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        onClose(false);
      }}
      onClose={() => {
        if (!open || isInPage) return;
        // Browsers close at a second Escape unasked; whether to close is for the screen to say.
        element.current?.showModal();
        onClose(false);
      }}
      onMouseDown={(event) => {
        if (event.target !== event.currentTarget || isInPage) return;
        // The press would take the focus, which returns to its former place.
        event.preventDefault();
        onClose(false);
      }}
    >
      {open && (
        // The same elements in the page and over it, so that nothing typed is lost where scripts come.
        <div className={isInPage ? "contents" : "dialog-sheet"}>
          {/* Outside of main, header and footer would be landmarks of the page. */}
          <div className={isInPage ? "card-head" : "dialog-head"}>
            <h2 id={titleId}>{title}</h2>
            {/* Beside a way out of that name it would be the same button twice. */}
            {!isInPage && leave !== "Close" && (
              <button
                type="button"
                className="icon-button"
                aria-label="Close"
                onClick={() => onClose(true)}
              >
                <Icon name="close" />
              </button>
            )}
          </div>
          <div className={isInPage ? "card-body" : "dialog-body"}>
            <InPage value={isInPage}>{children}</InPage>
          </div>
          <div className={isInPage ? "card-foot" : "dialog-foot"}>
            {submit}
            {isInPage && closed !== undefined ? (
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
            ) : (
              <Button variant="ghost" {...leaveProps} onClick={() => onClose(true)}>
                {leave}
              </Button>
            )}
          </div>
        </div>
      )}
    </dialog>
  );
}

/**
 * Returns whether the dialog is part of the page. It is when the server rendered it; scripts then lay it over
 * the page, unless the person is already using it.
 */
function useInPage(open: boolean, hasAddress: boolean): boolean {
  const hydrated = useHydrated();
  const [isInPage, setIsInPage] = useState(!hydrated && hasAddress);
  useLayoutEffect(() => {
    // oxlint-disable-next-line react/set-state-in-effect -- where the focus is only the page can say, before it is painted
    if (!open || document.activeElement === document.body) setIsInPage(false);
  }, [open]);
  return isInPage;
}

/** The browser would choose the close button. Under a finger that is better than a keyboard on screen. */
function focusFirstField(dialog: HTMLDialogElement) {
  if (!matchMedia("(hover: hover)").matches) return;
  const fields = ":is(input:not([type=hidden]), select, textarea):not(:disabled)";
  dialog.querySelector<HTMLElement>(`.dialog-body ${fields}`)?.focus();
}
