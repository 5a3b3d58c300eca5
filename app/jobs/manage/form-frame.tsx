import { type ReactNode, useState } from "react";
import { ButtonLink, Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { useHydrated } from "../../ui/hydrated.ts";

/**
 * Whether a form stands in the page, in the place of the list: it does where the server drew it, and
 * stays so when the scripts come, as what was typed by then would be lost in a dialog.
 */
export function useFormInPage(isOpen: boolean): boolean {
  const hydrated = useHydrated();
  const [isInPage, setIsInPage] = useState(!hydrated);
  if (isInPage && hydrated && !isOpen) setIsInPage(false);
  return isInPage;
}

/** A form in a dialog or, before any script, on a card in the page. */
export function FormFrame({
  title,
  open,
  isInPage,
  closed,
  onClose,
  submit,
  leave,
  width,
  children,
}: {
  title: string;
  open: boolean;
  isInPage: boolean;
  /** The address without the form. */
  closed: string;
  onClose(): void;
  submit: ReactNode;
  /** The words of the way out. */
  leave: string;
  width?: "narrow" | "wide";
  children: ReactNode;
}) {
  if (isInPage) {
    if (!open) return null;
    return (
      <Card
        title={title}
        className={width === "wide" ? "max-w-[52rem]" : "max-w-[32rem]"}
        footer={
          <>
            {submit}
            <ButtonLink to={closed} replace variant="ghost">
              {leave}
            </ButtonLink>
          </>
        }
      >
        {children}
      </Card>
    );
  }
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={title}
      width={width}
      footer={
        <>
          {submit}
          <Button variant="ghost" onClick={onClose}>
            {leave}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  );
}
