import { type ReactNode, type SubmitEvent, useEffect, useId, useRef } from "react";
import { useActionData, useFetcher, useNavigate } from "react-router";
import type { FormProblems } from "../../platform/forms.server.ts";
import { Icon } from "../brand/icon.tsx";
import { Button, ButtonLink, type ButtonProps, SubmitButton } from "../form/button.tsx";
import { useFocusFirstError } from "../form/field.tsx";
import { useInPage } from "../hydrated.ts";
import { Card } from "../layout/card.tsx";
import { showToast } from "./toasts.tsx";

type Shown = {
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
  onClose(): void;
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
  function onClose() {
    if (!isSending()) return close();
    showToast({ kind: "warning", title: "Please wait, changes are being saved..." });
  }
  if (!isInPage) {
    const out = (
      <Button variant="ghost" {...leaveProps} onClick={onClose}>
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
        onClose();
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

/**
 * A dialog that an address opens, around one form that its screen answers. It closes when the answer says
 * `ok`, and not while that is awaited.
 */
export function FormDialog({
  intent,
  submitLabel,
  pendingLabel,
  variant,
  onSaved,
  beside,
  children,
  ...shown
}: Omit<Shown, "children"> & {
  /** The fields; a function is given the messages and texts of a form that was refused. */
  children: ReactNode | ((refused: Partial<FormProblems>) => ReactNode);
  closed: string;
  /** What the form's button says to the action. */
  intent: string;
  /** The words on that button. */
  submitLabel: string;
  pendingLabel: string;
  variant?: "primary" | "danger";
  onSaved?(): void;
  /** What stands below the fields with forms of its own. */
  beside?: ReactNode;
}) {
  const navigate = useNavigate();
  const fetcher = useFetcher<{ ok?: true } & Partial<FormProblems>>();
  // Where no script runs, the page itself is the answer.
  const inPage = useActionData<Partial<FormProblems>>();
  const refused = fetcher.data ?? inPage ?? {};
  useFocusFirstError(typeof children === "function" ? refused.errors : undefined);
  const isSaving = fetcher.state !== "idle";
  const close = () => void navigate(shown.closed, { replace: true, preventScrollReset: true });

  useEffect(() => {
    // Going elsewhere while the page is read anew would drop that answer, and its message with it.
    if (!fetcher.data?.ok || fetcher.state !== "idle") return;
    onSaved?.();
    close();
    // oxlint-disable-next-line react/exhaustive-deps -- once for each answer
  }, [fetcher.data, fetcher.state]);

  function send(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const button = event.nativeEvent.submitter as HTMLButtonElement | null;
    // Known by the next key: the router would tell of it with a later rendering, and Escape would close the dialog.
    void fetcher.submit(button ?? event.currentTarget, {
      method: "post",
      preventScrollReset: true,
      flushSync: true,
    });
  }

  return (
    <Dialog
      {...shown}
      onClose={close}
      isSending={() => isSaving}
      submit={
        <SubmitButton
          form={intent}
          name="intent"
          value={intent}
          variant={variant}
          pendingLabel={pendingLabel}
          pending={isSaving}
        >
          {submitLabel}
        </SubmitButton>
      }
    >
      <fetcher.Form method="post" id={intent} preventScrollReset onSubmit={send}>
        {typeof children === "function" ? children(refused) : children}
      </fetcher.Form>
      {beside}
    </Dialog>
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
}: Shown & { onClose(): void; submit: ReactNode; out: ReactNode }) {
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
