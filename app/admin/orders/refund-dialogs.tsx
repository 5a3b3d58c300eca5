import { longestReason, refundTakes } from "../../payments/refunds/rules.ts";
import { FormDialog } from "../../ui/feedback/dialog.tsx";
import { TextAreaField } from "../../ui/form/field.tsx";

type ShownOrder = { orderId: string; captured: string | null };
type Held = Record<string, string>;

const closedAddress = ({ orderId }: ShownOrder) => `/admin/orders/${encodeURIComponent(orderId)}`;

/** Asks why before money goes back on an admin's own decision. */
export function RefundDialog({
  open,
  order,
  isReviewed,
  held,
}: {
  open: boolean;
  order: ShownOrder;
  isReviewed: boolean;
  held: Held;
}) {
  return (
    <FormDialog
      open={open}
      title={`Refund ${order.captured}`}
      closed={closedAddress(order)}
      intent="refund"
      submitLabel="Refund"
      pendingLabel="Refunding..."
      variant="danger"
      onSaved={() => {}}
    >
      {({ errors, values }) => (
        <>
          <p className="mb-4">
            All that was captured goes back to where it came from, which takes {refundTakes}, and a
            mail tells the customer. It cannot be called off.
            {isReviewed && " Nobody works on the review any more; a completed one stays readable."}
          </p>
          <TextAreaField
            label="Reason"
            name="reason"
            rows={3}
            maxLength={longestReason}
            defaultValue={values?.reason ?? held.reason}
            error={errors?.reason}
            hint="For the history; the customer does not read it."
          />
        </>
      )}
    </FormDialog>
  );
}

/** Asks for an answer before a refund that was asked for is approved or declined. */
export function DecideDialog({
  refund,
  decision,
  order,
  held,
}: {
  refund: { id: string; amount: string; reason: string | null } | null;
  decision: string | null;
  order: ShownOrder;
  held: Held;
}) {
  const approves = decision === "approve";
  const words = approves
    ? { title: "Approve the refund", submit: "Approve", pending: "Approving..." }
    : { title: "Decline the refund", submit: "Decline", pending: "Declining..." };
  return (
    <FormDialog
      open={refund !== null && (approves || decision === "decline")}
      title={words.title}
      closed={closedAddress(order)}
      intent={approves ? "approve-refund" : "decline-refund"}
      submitLabel={words.submit}
      pendingLabel={words.pending}
      variant="danger"
      onSaved={() => {}}
    >
      {({ errors, values }) =>
        refund && (
          <>
            <input type="hidden" name="refundId" value={refund.id} />
            <p className="mb-4">
              {approves
                ? `${refund.amount} goes back, which takes ${refundTakes}. The review stays readable.`
                : "The money stays, and the customer cannot ask again."}
            </p>
            <blockquote className="mb-4 text-ink-soft">{refund.reason}</blockquote>
            <TextAreaField
              label={approves ? "Note (optional)" : "Answer"}
              name="answer"
              rows={3}
              maxLength={longestReason}
              defaultValue={values?.answer ?? held.answer}
              error={errors?.answer}
              hint={
                approves
                  ? "The customer reads it beside the refund."
                  : "The customer gets it by mail."
              }
            />
          </>
        )
      }
    </FormDialog>
  );
}
