import type { ReactNode } from "react";
import { Link, useFetcher, useSearchParams } from "react-router";
import { signedInActor } from "../../accounts/actor.server.ts";
import { provedGuard } from "../../accounts/guards.server.ts";
import { takeHeldForm } from "../../accounts/sign-in/held-forms.server.ts";
import { formatRupees, rupeesWithPaise } from "../../payments/money.ts";
import { decidedWithin } from "../../payments/refunds/rules.ts";
import { appContext } from "../../platform/app-context.server.ts";
import { shortDateTime } from "../../platform/clock.ts";
import { serviceLabel, statusBadge } from "../../reviews/rules.ts";
import { Icon } from "../../ui/brand/icon.tsx";
import { ButtonLink, SubmitButton } from "../../ui/form/button.tsx";
import { Badge, Card } from "../../ui/layout/card.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { type Column, Table } from "../../ui/list/table.tsx";
import { titled } from "../../ui/meta.ts";
import { Fact } from "../fact.tsx";
import type { Route } from "./+types/order.screen.ts";
import { orderEventCopy, refundLooks } from "./order-copy.ts";
import { changeOrder, orderIdOf } from "./order-forms.server.ts";
import { OrderState } from "./orders.screen.tsx";
import { type OrderFacts, readOrder } from "./read-orders.server.ts";
import { DecideDialog, RefundDialog } from "./refund-dialogs.tsx";

export const middleware = [provedGuard("forms")];

export const meta: Route.MetaFunction = ({ matches }) => titled(matches, "Order");

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const { db } = context.get(appContext);
  const facts = await readOrder(db, signedInActor(context), orderIdOf({ params }));
  return {
    ...orderOf(facts),
    refunds: facts.refunds.map(refundOf),
    events: facts.events.map(({ id, at, ...event }) => ({
      id,
      when: shortDateTime(at),
      words: orderEventCopy(event),
    })),
    held: await takeHeldForm(context, request),
  };
}

function orderOf({ order, buyer, buyerName, review, refunds }: OrderFacts) {
  const { orderId, buyerId, status, capturedPaise, providerPaymentId, settledAt } = order;
  const isOpen = refunds.some(({ state }) =>
    ["asked", "approved", "sent", "settled"].includes(state),
  );
  return {
    order: {
      orderId,
      status,
      refund: refunds[0]?.state ?? null,
      asked: `₹${rupeesWithPaise(order.amountPaise ?? 0)}`,
      captured: capturedPaise === null ? null : `₹${rupeesWithPaise(capturedPaise)}`,
      paymentId: providerPaymentId,
      begun: shortDateTime(order.createdAt),
      settled: settledAt && shortDateTime(settledAt),
      nextCheck: order.nextCheckAt && shortDateTime(order.nextCheckAt),
      // What is paid stays paid: only its refund may still change.
      canBeAsked:
        status !== "success" ||
        refunds.some(({ state }) => state === "approved" || state === "sent"),
      canBeRefunded: !isOpen && Boolean(capturedPaise) && providerPaymentId !== null,
    },
    buyer: buyerId && { id: buyerId, name: buyerName?.trim() || buyer, email: buyer },
    review: review && {
      label: serviceLabel(review.serviceType),
      status: review.status,
      withdrawn: review.withdrawnAt && shortDateTime(review.withdrawnAt),
    },
  };
}

function refundOf(refund: OrderFacts["refunds"][number]) {
  const { id, state, amountPaise, createdAt, decidedAt, endedAt, requestId, token } = refund;
  const decideBy = new Date(createdAt.getTime() + decidedWithin);
  return {
    id,
    state,
    amount: formatRupees(amountPaise),
    reason: refund.reason,
    answer: refund.answer,
    failure: refund.failure,
    begun: shortDateTime(createdAt),
    decideBy: state === "asked" ? shortDateTime(decideBy) : null,
    decided: decidedAt && shortDateTime(decidedAt),
    ended: endedAt && state !== "declined" ? shortDateTime(endedAt) : null,
    nextCheck: refund.nextCheckAt && shortDateTime(refund.nextCheckAt),
    requestId,
    token,
  };
}

export const action = changeOrder;

export default function OrderPage({ loaderData }: Route.ComponentProps) {
  const { order, buyer, review, refunds, events, held } = loaderData;
  const [params] = useSearchParams();
  const waiting = refunds.find(({ state }) => state === "asked");
  return (
    <Page
      back={
        <ButtonLink to="/admin/orders" variant="ghost">
          <Icon name="arrow-left" />
          Orders
        </ButtonLink>
      }
      title="Order"
      intro={<code className="wrap-anywhere">{order.orderId}</code>}
      actions={order.canBeAsked && <AskAgain />}
    >
      <div className="fact-sheets">
        <Card title="Payment">
          <dl className="facts">
            <Fact name="State">
              <OrderState {...order} />
            </Fact>
            <Fact name="Person">
              {buyer ? (
                <Link to={`/admin/users/${buyer.id}`}>{buyer.name ?? buyer.email}</Link>
              ) : (
                "An account that is gone"
              )}
            </Fact>
            <Fact name="Asked for">{order.asked}</Fact>
            <Fact name="Captured">{order.captured ?? "Nothing that is known"}</Fact>
            <Fact name="Provider's id">{order.paymentId && <code>{order.paymentId}</code>}</Fact>
            <Fact name="Begun">{order.begun}</Fact>
            <Fact name="Settled">{order.settled}</Fact>
            <Fact name="Asked again">{order.nextCheck}</Fact>
          </dl>
        </Card>
        <Card title="What it bought">
          {review ? <Bought {...review} /> : <p>No review came of it.</p>}
        </Card>
        {refunds.length === 0 && (
          <Card title="Refund">
            <p>{order.canBeRefunded ? "None was asked for." : "There is nothing to give back."}</p>
            {order.canBeRefunded && <RefundLink again={false} />}
          </Card>
        )}
        {refunds.map((refund, index) => (
          <RefundCard key={refund.id} refund={refund}>
            {index === 0 && order.canBeRefunded && <RefundLink again />}
          </RefundCard>
        ))}
      </div>
      <RefundDialog
        open={params.has("refund") && order.canBeRefunded}
        order={order}
        isReviewed={review !== null}
        held={held}
      />
      <DecideDialog
        refund={waiting ?? null}
        decision={params.get("decide")}
        order={order}
        held={held}
      />
      <section className="attention" aria-label="Everything that happened">
        <h2 className="mb-3">Everything that happened</h2>
        {events.length > 0 ? (
          <Table caption="Events" columns={columns} rows={events} rowKey={({ id }) => id} />
        ) : (
          <p>Nothing was written down: it is older than these notes, or was brought in.</p>
        )}
        <p className="text-ink-soft">
          What staff did stands in{" "}
          <Link
            to={`/admin/history?${new URLSearchParams({ type: "order", id: order.orderId }).toString()}`}
          >
            the history
          </Link>
          .
        </p>
      </section>
    </Page>
  );
}

const columns: Column<{ id: string; when: string; words: string }>[] = [
  { header: "When", cell: ({ when }) => <span className="md:whitespace-nowrap">{when}</span> },
  { header: "What", wide: true, cell: ({ words }) => words },
];

function AskAgain() {
  const fetcher = useFetcher();
  return (
    <fetcher.Form method="post" preventScrollReset>
      <SubmitButton
        name="intent"
        value="ask"
        variant="secondary"
        pending={fetcher.state !== "idle"}
        pendingLabel="Asking..."
      >
        Ask PayU again
      </SubmitButton>
    </fetcher.Form>
  );
}

function Bought({
  label,
  status,
  withdrawn,
}: {
  label: string;
  status: string;
  withdrawn: string | null;
}) {
  const badge = statusBadge(status);
  return (
    <dl className="facts">
      <Fact name="Service">{label}</Fact>
      <Fact name="Status">{badge ? <Badge tone={badge.tone}>{badge.label}</Badge> : status}</Fact>
      <Fact name="Withdrawn">{withdrawn}</Fact>
    </dl>
  );
}

type ShownRefund = ReturnType<typeof refundOf>;

function RefundCard({ refund, children }: { refund: ShownRefund; children: ReactNode }) {
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

function RefundLink({ again }: { again: boolean }) {
  return (
    <p>
      <ButtonLink to="?refund" variant="secondary" replace preventScrollReset>
        {again ? "Refund it once more" : "Refund"}
      </ButtonLink>
    </p>
  );
}
