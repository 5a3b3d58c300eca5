import { useFetcher, useSearchParams } from "react-router";
import { z } from "zod";
import { getSignedInActor } from "../../accounts/actor.server.ts";
import { requireRecentSignIn } from "../../accounts/guards.server.ts";
import { restoreInterruptedForm } from "../../accounts/interrupted-forms.server.ts";
import { payments } from "../../payments/payments.server.ts";
import { maxReasonLength } from "../../payments/refund-rules.ts";
import { checkOrderToResolve } from "../../payments/resolve/orders-to-resolve.server.ts";
import { appContext } from "../../platform/app-context.server.ts";
import { createFormActions, createFormIntent, buildSuccess } from "../../platform/forms.server.ts";
import {
  approveRequestedRefund,
  declineRequestedRefund,
  refundOrder,
} from "../../review-customer/refunds/refunds.server.ts";
import { createFieldLengthCheck, lines } from "../../platform/text/text-fields.server.ts";
import { listingProduct } from "../../posting/rules.ts";
import { DueDate } from "../../reviews/due-dates/due-date.tsx";
import type { DueView } from "../../reviews/due-dates/due-dates.ts";
import { listStations } from "../../reviews/due-dates/stations.ts";
import { toStatusBadge } from "../../reviews/rules.ts";
import { SubmitButton } from "../../ui/form/button.tsx";
import { BackLink } from "../../ui/layout/back-link.tsx";
import { Badge, Card } from "../../ui/layout/card.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { StationLine } from "../../ui/layout/station-line.tsx";
import { type Column, Table } from "../../ui/list/table.tsx";
import { Link } from "../../ui/link.tsx";
import { buildPrivateMeta } from "../../ui/meta.ts";
import { revalidateAfterRefusal } from "../../ui/refused-forms.ts";
import { Fact } from "../parts.tsx";
import type { Route } from "./+types/order.screen.ts";
import { orderCheckMessages, refundBadges } from "./order-copy.ts";
import {
  DecideDialog,
  OrderState,
  RefundCard,
  RefundOrderDialog,
  RefundLink,
} from "./order-parts.tsx";
import { getOrder, toOrderView } from "./read-orders.server.ts";
import * as figuresStyles from "../figures.module.css";
import * as factsStyles from "../../ui/layout/facts.module.css";

export const middleware = [requireRecentSignIn("forms")];

export const meta: Route.MetaFunction = ({ matches }) => buildPrivateMeta(matches, "Order");

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const { db } = context.get(appContext);
  const facts = await getOrder(db, getSignedInActor(context), getOrderId(params));
  return { ...toOrderView(facts), restored: await restoreInterruptedForm(context, request) };
}

export const action = createFormActions({
  ask: createFormIntent({
    schema: z.object({}),
    run: ({ context, params }) =>
      checkOrderToResolve(
        context.get(appContext),
        context.get(payments),
        getSignedInActor(context),
        getOrderId(params),
      ),
    done: ({ status, refund }) =>
      buildSuccess(refund ? `Status: ${refundBadges[refund].label}` : orderCheckMessages[status]),
    failed: "Failed to check the payment",
  }),
  refund: createFormIntent({
    schema: z.object({ reason: buildTextSchema(3, "Enter a reason for the audit log") }),
    run({ context, params, value: { reason } }) {
      const { db, config } = context.get(appContext);
      return refundOrder(
        db,
        getSignedInActor(context),
        { orderId: getOrderId(params), reason },
        config,
      );
    },
    done: () => buildSuccess("Refund started. We'll email the customer."),
    failed: "Failed to refund the payment",
  }),
  "approve-refund": createFormIntent({
    schema: z.object({ refundId: z.string(), answer: buildTextSchema(0, "") }),
    run({ context, value }) {
      const { db, config } = context.get(appContext);
      return approveRequestedRefund(db, getSignedInActor(context), value, config);
    },
    done: () => buildSuccess("Refund started. We'll email the customer."),
    failed: "Failed to approve the refund",
  }),
  "decline-refund": createFormIntent({
    schema: z.object({
      refundId: z.string(),
      answer: buildTextSchema(3, "Enter a reason. We'll email it to the customer."),
    }),
    run({ context, value }) {
      const { db, config } = context.get(appContext);
      return declineRequestedRefund(db, getSignedInActor(context), value, config);
    },
    done: () => buildSuccess("Refund declined. We'll email the customer your answer."),
    failed: "Failed to decline the refund",
  }),
});

/** Returns the order ID from the path, without NUL, which PostgreSQL rejects. */
function getOrderId(params: { orderId?: string }): string {
  return (params.orderId ?? "").replaceAll("\u0000", "");
}

function buildTextSchema(min: number, missing: string) {
  return lines.pipe(
    z
      .string()
      .min(min, missing)
      .refine(createFieldLengthCheck(maxReasonLength), `At most ${maxReasonLength} characters`),
  );
}

export const shouldRevalidate = revalidateAfterRefusal;

export default function OrderPage({ loaderData }: Route.ComponentProps) {
  const { order, buyer, review, listing, refunds, events, restored } = loaderData;
  const [params] = useSearchParams();
  const requested = refunds.find(({ state }) => state === "asked");
  return (
    <Page
      back={<BackLink to="/admin/orders">Back to Orders</BackLink>}
      title="Order"
      intro={<code className="wrap-anywhere">{order.orderId}</code>}
      actions={order.canBeChecked && <CheckOrderButton />}
    >
      <div className={figuresStyles.factCards}>
        <Card title="Payment">
          <dl className={factsStyles.facts}>
            <Fact name="State">
              <OrderState {...order} />
            </Fact>
            <Fact name="Customer">
              {buyer ? (
                <Link to={`/admin/users/${buyer.id}`}>{buyer.name ?? buyer.email}</Link>
              ) : (
                "Deleted account"
              )}
            </Fact>
            <Fact name="Amount">{order.amount}</Fact>
            <Fact name="Captured">{order.captured ?? "None recorded"}</Fact>
            <Fact name="PayU's charges to the buyer">{order.charges}</Fact>
            <Fact name="Invoice">
              {order.invoice && (
                <Link to={`/profile/payments/${encodeURIComponent(order.orderId)}`}>
                  {order.invoice}
                </Link>
              )}
            </Fact>
            <Fact name="PayU ID">{order.paymentId && <code>{order.paymentId}</code>}</Fact>
            <Fact name="Started">{order.started}</Fact>
            <Fact name="Settled">{order.settled}</Fact>
            <Fact name="Next check">{order.nextCheck}</Fact>
          </dl>
        </Card>
        <Card title="Purchase">
          {listing ? (
            <PaidListing {...listing} />
          ) : review ? (
            <PurchasedReview {...review} />
          ) : (
            <p>No review was created.</p>
          )}
        </Card>
        {refunds.length === 0 && (
          <Card title="Refund">
            <p>{order.canBeRefunded ? "No refund requested." : "Nothing to refund."}</p>
            {order.canBeRefunded && <RefundLink again={false} />}
          </Card>
        )}
        {refunds.map((refund, index) => (
          <RefundCard key={refund.id} refund={refund}>
            {index === 0 && order.canBeRefunded && <RefundLink again />}
          </RefundCard>
        ))}
      </div>
      <RefundOrderDialog
        open={params.has("refund") && order.canBeRefunded}
        order={order}
        isReviewed={review !== null}
        restored={restored}
      />
      <DecideDialog
        refund={requested ?? null}
        decision={params.get("decide")}
        order={order}
        restored={restored}
      />
      <section className={figuresStyles.attention} aria-label="Timeline">
        <h2 className="mb-4">Timeline</h2>
        {events.length > 0 ? (
          <Table caption="Events" columns={columns} rows={events} rowKey={({ id }) => id} />
        ) : (
          <p>No events. The order was imported.</p>
        )}
        <p className="text-ink-soft">
          Staff actions are in{" "}
          <Link
            to={`/admin/history?${new URLSearchParams({ type: "order", id: order.orderId }).toString()}`}
          >
            the audit log
          </Link>
          .
        </p>
      </section>
    </Page>
  );
}

const columns: Column<{ id: string; when: string; text: string }>[] = [
  { header: "When", cell: ({ when }) => <span className="whitespace-nowrap">{when}</span> },
  { header: "Event", wide: true, cell: ({ text }) => text },
];

function CheckOrderButton() {
  const fetcher = useFetcher();
  return (
    <fetcher.Form method="post" preventScrollReset>
      <SubmitButton
        intent="ask"
        variant="secondary"
        pending={fetcher.state !== "idle"}
        pendingLabel="Checking..."
      >
        Check with PayU
      </SubmitButton>
    </fetcher.Form>
  );
}

function PaidListing({ published }: { published: { id: string; title: string } | null }) {
  return (
    <p>
      {listingProduct}:{" "}
      {published ? <Link to={`/jobs/${published.id}`}>{published.title}</Link> : "not published"}
    </p>
  );
}

function PurchasedReview({
  label,
  secondLookOf,
  status,
  withdrawn,
  due,
}: {
  label: string;
  secondLookOf: string | null;
  status: string;
  withdrawn: string | null;
  due: DueView | null;
}) {
  const badge = toStatusBadge(status);
  const facts = (
    <dl className={factsStyles.facts}>
      <Fact name="Service">{label}</Fact>
      {secondLookOf && (
        <Fact name="Earlier review">
          <Link to={`/admin/reviews/completed?search=${secondLookOf}`}>
            Open the earlier review
          </Link>
        </Fact>
      )}
      <Fact name="Status">{badge ? <Badge tone={badge.tone}>{badge.label}</Badge> : status}</Fact>
      <Fact name="Withdrawn">{withdrawn}</Fact>
    </dl>
  );
  if (withdrawn) return facts;
  return (
    <>
      {facts}
      <div className="mt-4">
        <StationLine {...listStations({ status, due })} end={<DueDate due={due} withDate />} />
      </div>
    </>
  );
}
