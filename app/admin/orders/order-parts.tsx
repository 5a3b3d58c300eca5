import type { ReactNode } from "react";
import { longestReason, type RefundState, refundTakes } from "../../payments/refund-rules.ts";
import { FormDialog } from "../../ui/feedback/form-dialog.tsx";
import { ButtonLink } from "../../ui/form/button.tsx";
import { TextAreaField } from "../../ui/form/field.tsx";
import { Badge, Card } from "../../ui/layout/card.tsx";
import { Fact } from "../parts.tsx";
import { orderLooks, refundLooks } from "./order-copy.ts";
import type { RefundView } from "./read-orders.server.ts";

/** The state of an order and of its refund. */
export function OrderState({
  status,
  refund,
}: {
  status: keyof typeof orderLooks;
  refund: RefundState | null;
}) {
  return (
    <span className="flex flex-wrap gap-1">
      <Badge tone={orderLooks[status].tone}>{orderLooks[status].label}</Badge>
      {refund && <Badge tone={refundLooks[refund].tone}>{refundLooks[refund].label}</Badge>}
    </span>
  );
}

/** One refund with all that is known of it, and where it waits for it, the way to decide. */
export function RefundCard({ refund, children }: { refund: RefundView; children: ReactNode }) {
  const look = refundLooks[refund.state];
  return (
    <Card title={`Refund of ${refund.amount}`}>
      <dl className="facts">
        <Fact name="State">
          <Badge tone={look.tone}>{look.label}</Badge>
        </Fact>
        <Fact name="Reason">{refund.reason}</Fact>
        <Fact name="Answer">{refund.answer}</Fact>
        <Fact name="Begun">{refund.begun}</Fact>
        <Fact name="Decide by">{refund.decideBy}</Fact>
        <Fact name="Decided">{refund.decided}</Fact>
        <Fact name="Ended">{refund.ended}</Fact>
        <Fact name="Failure">{refund.failure}</Fact>
        <Fact name="Asked again">{refund.nextCheck}</Fact>
        <Fact name="Our token">
          <code>{refund.token}</code>
        </Fact>
        <Fact name="PayU's request">{refund.requestId && <code>{refund.requestId}</code>}</Fact>
      </dl>
      {refund.state === "asked" && (
        <p className="flex flex-wrap gap-2">
          <ButtonLink to="?decide=approve" replace preventScrollReset>
            Approve
          </ButtonLink>
          <ButtonLink to="?decide=decline" variant="secondary" replace preventScrollReset>
            Decline
          </ButtonLink>
        </p>
      )}
      {children}
    </Card>
  );
}

/** The way to {@link RefundOrderDialog}. */
export function RefundLink({ again }: { again: boolean }) {
  return (
    <p>
      <ButtonLink to="?refund" variant="secondary" replace preventScrollReset>
        {again ? "Refund it once more" : "Refund"}
      </ButtonLink>
    </p>
  );
}

type OrderDetails = { orderId: string; captured: string | null };
type TypedFields = Record<string, string>;

const buildOrderAddress = ({ orderId }: OrderDetails) =>
  `/admin/orders/${encodeURIComponent(orderId)}`;

/** Asks for the reason of a refund that an admin decides alone. */
export function RefundOrderDialog({
  open,
  order,
  isReviewed,
  held,
}: {
  open: boolean;
  order: OrderDetails;
  isReviewed: boolean;
  held: TypedFields;
}) {
  return (
    <FormDialog
      open={open}
      title={`Refund ${order.captured}`}
      closed={buildOrderAddress(order)}
      intent="refund"
      submitLabel="Refund"
      pendingLabel="Refunding..."
      variant="danger"
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
  order: OrderDetails;
  held: TypedFields;
}) {
  const approves = decision === "approve";
  const words = approves
    ? { title: "Approve the refund", submit: "Approve", pending: "Approving..." }
    : { title: "Decline the refund", submit: "Decline", pending: "Declining..." };
  return (
    <FormDialog
      open={refund !== null && (approves || decision === "decline")}
      title={words.title}
      closed={buildOrderAddress(order)}
      intent={approves ? "approve-refund" : "decline-refund"}
      submitLabel={words.submit}
      pendingLabel={words.pending}
      variant="danger"
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
