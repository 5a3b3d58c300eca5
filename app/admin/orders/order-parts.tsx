import type { ReactNode } from "react";
import { maxReasonLength, type RefundState, refundTakes } from "../../payments/refund-rules.ts";
import type { OwnPath } from "../../platform/own-path.ts";
import { FormDialog } from "../../ui/feedback/form-dialog.tsx";
import { ButtonLink } from "../../ui/form/button.tsx";
import { TextAreaField } from "../../ui/form/field.tsx";
import { Badge, Card } from "../../ui/layout/card.tsx";
import { Fact } from "../parts.tsx";
import { orderBadges, refundBadges } from "./order-copy.ts";
import type { RefundView } from "./read-orders.server.ts";
import * as styles from "../../ui/layout/facts.module.css";

export function OrderState({
  status,
  refund,
}: {
  status: keyof typeof orderBadges;
  refund: RefundState | null;
}) {
  return (
    <span className="row">
      <Badge tone={orderBadges[status].tone}>{orderBadges[status].label}</Badge>
      {refund && <Badge tone={refundBadges[refund].tone}>{refundBadges[refund].label}</Badge>}
    </span>
  );
}

/** A refund with its details and, while it is requested, buttons to decide it. */
export function RefundCard({ refund, children }: { refund: RefundView; children: ReactNode }) {
  const badge = refundBadges[refund.state];
  return (
    <Card title={`Refund of ${refund.amount}`}>
      <dl className={styles.facts}>
        <Fact name="State">
          <Badge tone={badge.tone}>{badge.label}</Badge>
        </Fact>
        <Fact name="Reason">{refund.reason}</Fact>
        <Fact name="Answer">{refund.answer}</Fact>
        <Fact name="Started">{refund.started}</Fact>
        <Fact name="Decide by">{refund.decideBy}</Fact>
        <Fact name="Decided">{refund.decided}</Fact>
        <Fact name="Ended">{refund.ended}</Fact>
        <Fact name="Failure">{refund.failure}</Fact>
        <Fact name="Next check">{refund.nextCheck}</Fact>
        <Fact name="Our token">
          <code>{refund.token}</code>
        </Fact>
        <Fact name="PayU request ID">{refund.requestId && <code>{refund.requestId}</code>}</Fact>
      </dl>
      {refund.state === "asked" && (
        <p className="row">
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

/** Opens {@link RefundOrderDialog}. */
export function RefundLink({ again }: { again: boolean }) {
  return (
    <p>
      <ButtonLink to="?refund" variant="secondary" replace preventScrollReset>
        {again ? "Refund again" : "Refund"}
      </ButtonLink>
    </p>
  );
}

type OrderDetails = { orderId: string; captured: string | null };
type TypedFields = Record<string, string>;

const buildOrderAddress = ({ orderId }: OrderDetails): OwnPath =>
  `/admin/orders/${encodeURIComponent(orderId)}`;

/** Asks for the reason of a refund that the customer didn't request. */
export function RefundOrderDialog({
  open,
  order,
  isReviewed,
  restored,
}: {
  open: boolean;
  order: OrderDetails;
  isReviewed: boolean;
  /** Values from before the admin had to sign in again. */
  restored: TypedFields;
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
            This refunds the full amount to the original payment method, which takes {refundTakes}.
            We&apos;ll email the customer. You can&apos;t undo this.
            {isReviewed && " Work on the review stops. A completed review stays readable."}
          </p>
          <TextAreaField
            label="Reason"
            name="reason"
            rows={3}
            maxLength={maxReasonLength}
            defaultValue={values?.reason ?? restored.reason}
            error={errors?.reason}
            hint="Saved in the audit log. The customer doesn't see it."
          />
        </>
      )}
    </FormDialog>
  );
}

/** Asks for an answer to the customer before a requested refund is approved or declined. */
export function DecideDialog({
  refund,
  decision,
  order,
  restored,
}: {
  refund: { id: string; amount: string; reason: string | null } | null;
  decision: string | null;
  order: OrderDetails;
  /** Values from before the admin had to sign in again. */
  restored: TypedFields;
}) {
  const approves = decision === "approve";
  const labels = approves
    ? { title: "Approve the refund", submit: "Approve", pending: "Approving..." }
    : { title: "Decline the refund", submit: "Decline", pending: "Declining..." };
  return (
    <FormDialog
      open={refund !== null && (approves || decision === "decline")}
      title={labels.title}
      closed={buildOrderAddress(order)}
      intent={approves ? "approve-refund" : "decline-refund"}
      submitLabel={labels.submit}
      pendingLabel={labels.pending}
      variant="danger"
    >
      {({ errors, values }) =>
        refund && (
          <>
            <input type="hidden" name="refundId" value={refund.id} />
            <p className="mb-4">
              {approves
                ? `This refunds ${refund.amount}, which takes ${refundTakes}. The review stays readable.`
                : "We keep the payment, and the customer can't request a refund again."}
            </p>
            <blockquote className="mb-4 text-ink-soft">{refund.reason}</blockquote>
            <TextAreaField
              label={approves ? "Note (optional)" : "Answer"}
              name="answer"
              rows={3}
              maxLength={maxReasonLength}
              defaultValue={values?.answer ?? restored.answer}
              error={errors?.answer}
              hint={
                approves
                  ? "The customer sees this next to the refund."
                  : "We'll email this to the customer."
              }
            />
          </>
        )
      }
    </FormDialog>
  );
}
