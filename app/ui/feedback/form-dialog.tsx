import { type ReactNode, type SubmitEvent, useCallback, useEffect, useRef, useState } from "react";
import { useActionData, useFetcher, useNavigate } from "react-router";
import type { FormProblems } from "../../platform/forms.server.ts";
import type { OwnAddress } from "../../platform/own-path.ts";
import { SubmitButton } from "../form/button.tsx";
import { useFocusFirstError } from "../form/field.tsx";
import { Dialog, type DialogProps } from "./dialog.tsx";
import { LeaveGuard } from "./leave-guard.tsx";

/**
 * A dialog opened by an address, with one form that its screen answers. It closes when the answer is `ok`, and stays
 * open until then. It asks before a stray key or press discards changes.
 */
export function FormDialog({
  intent,
  submitLabel,
  pendingLabel,
  variant,
  onSaved,
  beside,
  children,
  ...dialog
}: Omit<DialogProps, "children"> & {
  /** The fields, or a function that takes the messages and texts of a refused form. */
  children: ReactNode | ((refused: Partial<FormProblems>) => ReactNode);
  closed: OwnAddress;
  /** The intent that the form's button sends. */
  intent: string;
  /** The label of that button. */
  submitLabel: string;
  pendingLabel: string;
  variant?: "primary" | "danger";
  onSaved?(): void;
  /** Content below the fields, with its own forms. */
  beside?: ReactNode;
}) {
  const navigate = useNavigate();
  const fetcher = useFetcher<{ ok?: true } & Partial<FormProblems>>();
  // Earlier answers belong to another opening, perhaps of another item. An answer can also close the dialog, if its
  // item leaves the list.
  const [opening, setOpening] = useState({ open: dialog.open, before: fetcher.data });
  if (opening.open !== dialog.open)
    setOpening({ open: dialog.open, before: dialog.open ? fetcher.data : opening.before });
  const answer = fetcher.data === opening.before ? undefined : fetcher.data;
  // Without scripts, the page itself is the answer.
  const inPage = useActionData<Partial<FormProblems>>();
  const refused = answer ?? inPage ?? {};
  const form = useRef<HTMLFormElement>(null);
  const isRefused = answer?.values !== undefined;
  const isDone = Boolean(answer?.ok);
  const isGivenUp = useRef(false);
  useEffect(() => {
    isGivenUp.current = false;
  }, [dialog.open]);
  const wouldLose = useCallback(() => {
    if (isGivenUp.current) return false;
    // This form's submit does not send the other forms.
    const beside = [...(form.current?.parentElement?.querySelectorAll("form") ?? [])];
    return beside.some((one) =>
      one === form.current ? !isDone && isFormChanged(one, isRefused) : isFormChanged(one),
    );
  }, [isDone, isRefused]);
  useFocusFirstError(typeof children === "function" ? refused.errors : undefined);
  const isSaving = fetcher.state !== "idle";
  const close = () => void navigate(dialog.closed, { replace: true, preventScrollReset: true });
  function giveUp(isMeant: boolean) {
    isGivenUp.current = isMeant;
    close();
  }

  useEffect(() => {
    // Navigating during revalidation would drop its answer and message.
    if (!isDone || fetcher.state !== "idle") return;
    onSaved?.();
    close();
    // oxlint-disable-next-line react/exhaustive-deps -- runs once per answer
  }, [answer, fetcher.state]);

  function send(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const button = event.nativeEvent.submitter as HTMLButtonElement | null;
    // Without flushSync the state would come with a later render, and Escape could close the dialog.
    void fetcher.submit(button ?? event.currentTarget, {
      method: "post",
      preventScrollReset: true,
      flushSync: true,
    });
  }

  return (
    <>
      <Dialog
        {...dialog}
        onClose={giveUp}
        isSending={() => isSaving}
        submit={
          <SubmitButton
            form={intent}
            intent={intent}
            variant={variant}
            pendingLabel={pendingLabel}
            pending={isSaving}
          >
            {submitLabel}
          </SubmitButton>
        }
      >
        <fetcher.Form method="post" id={intent} ref={form} preventScrollReset onSubmit={send}>
          {typeof children === "function" ? children(refused) : children}
        </fetcher.Form>
        {beside}
      </Dialog>
      {dialog.open && (
        <LeaveGuard
          wouldLose={wouldLose}
          title="Discard your changes?"
          leave="Discard changes"
          stay="Keep editing"
        >
          <p>Your changes aren't saved yet.</p>
        </LeaveGuard>
      )}
    </>
  );
}

/**
 * Checks whether a field of a form changed since it was opened.
 *
 * @param wasRefused true if the fields show values that were sent but not saved
 */
function isFormChanged(form: HTMLFormElement, wasRefused = false): boolean {
  return [...form.elements].some((field) => {
    if (field instanceof HTMLSelectElement) {
      const first = [...field.options].findIndex(({ defaultSelected }) => defaultSelected);
      return field.selectedIndex !== Math.max(first, 0);
    }
    if (field instanceof HTMLTextAreaElement) return isInputChanged(field, wasRefused);
    if (!(field instanceof HTMLInputElement) || field.type === "hidden") return false;
    if (/checkbox|radio/.test(field.type)) return field.checked !== field.defaultChecked;
    return isInputChanged(field, wasRefused && /text|url/.test(field.type));
  });
}

function isInputChanged(field: HTMLInputElement | HTMLTextAreaElement, wasRefused: boolean) {
  return field.value !== (wasRefused ? "" : field.defaultValue);
}
