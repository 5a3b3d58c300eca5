import type { ReactNode } from "react";
import { ButtonLink, Button } from "../../ui/form/button.tsx";
import { Card } from "../../ui/layout/card.tsx";
import { Dialog } from "../../ui/feedback/dialog.tsx";

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
