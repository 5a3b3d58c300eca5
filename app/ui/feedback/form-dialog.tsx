import { type ReactNode, useEffect, useState } from "react";
import { useFetcher, useNavigate } from "react-router";
import { Button, ButtonLink, SubmitButton } from "../form/button.tsx";
import { Card } from "../layout/card.tsx";
import { Dialog } from "./dialog.tsx";
import { useInPage } from "../hydrated.ts";
import { showToast } from "./toasts.tsx";

/**
 * A dialog that an address opens, around one form that its screen answers; a card in the page where the
 * server rendered it. It closes when the answer says `ok`, and not while that is awaited.
 */
export function FormDialog({
  open,
  title,
  intent,
  submitLabel,
  pendingLabel,
  variant,
  closed,
  onSaved,
  children,
  beside,
  width,
}: {
  open: boolean;
  title: string;
  /** What the form's button says to the action. */
  intent: string;
  /** The words on that button. */
  submitLabel: string;
  pendingLabel: string;
  variant?: "primary" | "danger";
  /** The address without the dialog. */
  closed: string;
  onSaved(): void;
  /** The fields. */
  children: ReactNode;
  /** What stands below them with forms of its own. */
  beside?: ReactNode;
  width?: "narrow" | "wide";
}) {
  const isInPage = useInPage(open);
  const navigate = useNavigate();
  const fetcher = useFetcher<{ ok?: true }>();
  const [, renderAgain] = useState(0);
  const isSaving = fetcher.state !== "idle";
  const close = () => void navigate(closed, { replace: true, preventScrollReset: true });

  useEffect(() => {
    // Going elsewhere while the page is read anew would drop that answer, and its message with it.
    if (!fetcher.data?.ok || fetcher.state !== "idle") return;
    onSaved();
    close();
    // oxlint-disable-next-line react/exhaustive-deps -- once for each answer
  }, [fetcher.data, fetcher.state]);

  function tryToClose() {
    if (!isSaving) return close();
    showToast({ kind: "warning", title: "Please wait, changes are being saved..." });
    renderAgain((count) => count + 1);
  }

  if (isInPage && !open) return null;
  const body = (
    <>
      <fetcher.Form method="post" id={intent} preventScrollReset>
        {children}
      </fetcher.Form>
      {beside}
    </>
  );
  const submit = (
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
  );
  if (isInPage) {
    const cancel = (
      <ButtonLink to={closed} replace preventScrollReset variant="ghost">
        Cancel
      </ButtonLink>
    );
    return (
      <Card
        title={title}
        footer={[submit, cancel].map((part, key) => (
          <span key={key}>{part}</span>
        ))}
      >
        {body}
      </Card>
    );
  }
  return (
    <Dialog
      open={open}
      onClose={tryToClose}
      title={title}
      width={width}
      footer={
        <>
          {submit}
          <Button variant="ghost" onClick={tryToClose}>
            Cancel
          </Button>
        </>
      }
    >
      {body}
    </Dialog>
  );
}
