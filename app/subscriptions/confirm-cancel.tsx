import type { ReactNode } from "react";
import { Form, useNavigation } from "react-router";
import { Button, ButtonLink, SubmitButton } from "../ui/form/button.tsx";
import { Card } from "../ui/layout/card.tsx";
import { Dialog } from "../ui/feedback/dialog.tsx";
import { useInPage } from "../ui/hydrated.ts";

const title = "Are you sure?";

/** Asks once before a subscription ends; where the server rendered it, on a card in the page. */
export function ConfirmCancel({
  open,
  onKeep,
  subscriptionId,
}: {
  open: boolean;
  onKeep(): void;
  subscriptionId: string | null;
}) {
  const isInPage = useInPage(open);
  const isCancelling = useNavigation().formMethod === "POST";
  const text = (
    <>
      <p>
        Cancelling immediately ends your subscription and your access to the job board. This cannot
        be undone.
      </p>
      <Form method="post" action="/subscription" id="cancel-subscription">
        <input type="hidden" name="subscriptionId" value={subscriptionId ?? ""} />
      </Form>
    </>
  );
  const cancel = (
    <SubmitButton
      form="cancel-subscription"
      variant="danger"
      pendingLabel="Processing..."
      pending={isCancelling}
    >
      Yes, Cancel Now
    </SubmitButton>
  );
  if (isInPage) return open && <InPage text={text} cancel={cancel} onKeep={onKeep} />;
  return (
    <Dialog
      open={open}
      onClose={onKeep}
      title={title}
      footer={
        <>
          {cancel}
          <Button variant="secondary" disabled={isCancelling} onClick={onKeep}>
            Keep Subscription
          </Button>
        </>
      }
    >
      {text}
    </Dialog>
  );
}

function InPage({ text, cancel, onKeep }: { text: ReactNode; cancel: ReactNode; onKeep(): void }) {
  return (
    <Card
      className="confirm-cancel"
      title={title}
      footer={
        <>
          {cancel}
          <ButtonLink to="/subscription" variant="secondary" onClick={onKeep}>
            Keep Subscription
          </ButtonLink>
        </>
      }
    >
      <div id="confirm" className="scroll-mt-24">
        {text}
      </div>
    </Card>
  );
}
