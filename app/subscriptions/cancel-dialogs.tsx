import { useState } from "react";
import { Form, useNavigation } from "react-router";
import { Dialog } from "../ui/feedback/dialog.tsx";
import { SubmitButton } from "../ui/form/button.tsx";
import { isPosting } from "../ui/navigations.ts";

const closed = "/subscription";

/** Asks once before a subscription ends. */
export function ConfirmCancel({
  open,
  onKeep,
  subscriptionId,
}: {
  open: boolean;
  onKeep(): void;
  subscriptionId: string | null;
}) {
  const isCancelling = useNavigation().formMethod === "POST";
  return (
    <Dialog
      open={open}
      onClose={onKeep}
      isSending={() => isCancelling || isPosting()}
      closed={closed}
      title="Are you sure?"
      submit={
        <SubmitButton
          form="cancel-subscription"
          variant="danger"
          pendingLabel="Processing..."
          pending={isCancelling}
        >
          Yes, Cancel Now
        </SubmitButton>
      }
      leave="Keep Subscription"
      leaveProps={{ variant: "secondary", disabled: isCancelling }}
    >
      <p id="confirm" className="scroll-mt-24">
        Cancelling immediately ends your subscription and your access to the job board. This cannot
        be undone.
      </p>
      <Form method="post" action="/subscription" id="cancel-subscription">
        <input type="hidden" name="subscriptionId" value={subscriptionId ?? ""} />
      </Form>
    </Dialog>
  );
}

type Answer = { cancelled: boolean; problem?: string };

/** Says that cancelling failed. */
export function CancelFailed({
  answer,
  supportEmail,
}: {
  /** What the server said to the last attempt, if there was one. */
  answer: Answer | undefined;
  supportEmail: string;
}) {
  const [read, setRead] = useState<Answer>();
  return (
    <Dialog
      open={Boolean(answer?.problem) && read !== answer}
      onClose={() => setRead(answer)}
      closed={closed}
      title="Subscription Management Error"
      leave="Close"
      leaveProps={{ variant: "secondary" }}
    >
      <p>{answer?.problem}</p>
      <p className="mt-4">
        There are temporary issues with managing subscriptions. Your subscription is as it was. If
        this goes on, please contact support at{" "}
        <a href={`mailto:${supportEmail}`}>{supportEmail}</a>.
      </p>
    </Dialog>
  );
}
