import {
  createContext,
  type ReactNode,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import type { OwnAddress } from "../../platform/own-path.ts";
import { Icon } from "../brand/icon.tsx";
import { Button, ButtonLink, type ButtonProps } from "../form/button.tsx";
import { useHydrated } from "../hydrated.ts";
import { showToast } from "./toasts.tsx";
import * as styles from "./dialog.module.css";
import * as cardStyles from "../layout/card.module.css";
import * as scrollAreaStyles from "../layout/scroll-area.module.css";
import * as buttonStyles from "../form/button.module.css";

export type DialogProps = {
  open: boolean;
  title: string;
  /** Rendered only while the dialog is open. */
  children: ReactNode;
  width?: "narrow" | "wide";
};

/** True inside a dialog shown as a card in the page. */
export const InPage = createContext(false);

/**
 * A modal dialog. Escape, its buttons and a press outside ask to close it. It stays while `open` is true. A dialog
 * opened by an address is a card in the page if the server rendered it, until scripts run.
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
  /** @param isMeant true for its buttons, false for a press outside or a key */
  onClose(isMeant: boolean): void;
  /**
   * Returns true while the dialog's action runs, so that it must stay open. It is a function since the router reports
   * a submit only with a later render.
   */
  isSending?(): boolean;
  /** The address without the dialog, if an address opens it. */
  closed?: OwnAddress;
  /** The button for the dialog's main action. */
  submit?: ReactNode;
  /** The label of the button that leaves. */
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
      // The browser scrolls to the button that it focuses, which may be the last one of a long dialog.
      dialog.scrollTop = 0;
      focusFirstField(dialog);
    }
  });
  // Closes before another dialog opens, which then returns the focus to the element before this one.
  useLayoutEffect(() => {
    if (!open) element.current?.close();
  });
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- a press beside the card
    <dialog
      ref={element}
      open={isInPage || undefined}
      className={
        isInPage
          ? `${cardStyles.card} ${styles.inPage} ${width === "wide" ? styles.inPageWide : ""}`
          : `${styles.dialog} ${width === "wide" ? styles.wide : ""} ${scrollAreaStyles.scrollArea}`
      }
      aria-labelledby={titleId}
      onCancel={(event) => {
        // Cancelling a file chooser inside the dialog fires this event too.
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        onClose(false);
      }}
      onClose={() => {
        if (!open || isInPage) return;
        // Browsers close it on a second Escape, but the screen decides.
        element.current?.showModal();
        onClose(false);
      }}
      onMouseDown={(event) => {
        if (event.target !== event.currentTarget || isInPage) return;
        // The press would take the focus, which must return to its earlier place.
        event.preventDefault();
        onClose(false);
      }}
    >
      {open && (
        // The same elements as card and as dialog, so that typed text survives hydration.
        <div className={isInPage ? "contents" : styles.card}>
          {/* Not header and footer, which would be page landmarks outside main. */}
          <div className={isInPage ? cardStyles.head : styles.head}>
            <h2 id={titleId}>{title}</h2>
            {/* It would duplicate a leave button named "Close". */}
            {!isInPage && leave !== "Close" && (
              <button
                type="button"
                className={buttonStyles.iconButton}
                aria-label="Close"
                onClick={() => onClose(true)}
              >
                <Icon name="close" />
              </button>
            )}
          </div>
          <div className={isInPage ? cardStyles.body : styles.body}>
            <InPage value={isInPage}>{children}</InPage>
          </div>
          <div className={isInPage ? cardStyles.foot : styles.foot}>
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
 * Returns true while the dialog is part of the page: when the server rendered it, until scripts turn it into a modal.
 * It stays in the page if the person is already using it.
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

/** The browser would focus the close button, which is right on touch screens: no keyboard appears. */
function focusFirstField(dialog: HTMLDialogElement) {
  if (!matchMedia("(hover: hover)").matches) return;
  const fields = ":is(input:not([type=hidden]), select, textarea):not(:disabled)";
  dialog.querySelector<HTMLElement>(`.${styles.body} ${fields}`)?.focus();
}
