import { useState } from "react";
import { Button, ButtonLink } from "../ui/form/button.tsx";
import { Card } from "../ui/layout/card.tsx";
import { Dialog } from "../ui/feedback/dialog.tsx";
import { useInPage } from "../ui/hydrated.ts";

const title = "Subscription Management Error";

type Answer = { cancelled: boolean; problem?: string };

/** Tells that cancelling failed; where the server rendered it, on a card in the page. */
export function CancelFailed({
  answer,
  supportEmail,
}: {
  /** What the server said to the last attempt, if there was one. */
  answer: Answer | undefined;
  supportEmail: string;
}) {
  const [closed, setClosed] = useState<Answer>();
  const open = Boolean(answer?.problem) && closed !== answer;
  const isInPage = useInPage(open);
  const text = (
    <>
      <p>{answer?.problem}</p>
      <p className="mt-4">
        There are temporary issues with managing subscriptions. Your subscription is as it was. If
        this goes on, please contact support at{" "}
        <a href={`mailto:${supportEmail}`}>{supportEmail}</a>.
      </p>
    </>
  );
  if (isInPage) {
    return (
      open && (
        <Card
          title={title}
          footer={
            <ButtonLink to="/subscription" variant="secondary">
              Close
            </ButtonLink>
          }
        >
          {text}
        </Card>
      )
    );
  }
  const close = () => setClosed(answer);
  return (
    <Dialog
      open={open}
      onClose={close}
      title={title}
      footer={
        <Button variant="secondary" onClick={close}>
          Close
        </Button>
      }
    >
      {text}
    </Dialog>
  );
}
