import { Link, type ShouldRevalidateFunctionArgs, useSearchParams } from "react-router";
import { z } from "zod";
import { currentActor, signedInActor } from "../../accounts/actor.server.ts";
import { signedInGuard } from "../../accounts/guards.server.ts";
import { takeHeldForm } from "../../accounts/sign-in/held-forms.server.ts";
import { formatRupees } from "../../payments/money.ts";
import { decidedWithin, refundTakes } from "../../payments/refunds/rules.ts";
import { appContext } from "../../platform/app-context.server.ts";
import { hour, shortDateTime } from "../../platform/clock.ts";
import { formActions, formIntent, succeeded } from "../../platform/forms.server.ts";
import { Icon } from "../../ui/brand/icon.tsx";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { ButtonLink } from "../../ui/form/button.tsx";
import { Badge, Card } from "../../ui/layout/card.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { titled } from "../../ui/meta.ts";
import { askForRefund } from "../refunds/ask-for-refund.server.ts";
import type { Route } from "./+types/payments.screen.ts";
import type { RefundTerms } from "../refunds/terms.ts";
import { listOwnPayments, type OwnPayment } from "./own-payments.server.ts";
import { RefundDialog, RefundProgress, RefundWay, type ShownTerms } from "./refund-parts.tsx";
import { paymentBadge, paymentNote, refundSteps } from "./rules.ts";

const title = "Payments";

export const middleware = [signedInGuard];

export const meta: Route.MetaFunction = ({ matches }) => titled(matches, title);

export async function loader({ request, url, context }: Route.LoaderArgs) {
  const after = url.searchParams.get("after");
  const [{ payments, next }, held] = await Promise.all([
    listOwnPayments(context.get(appContext).db, signedInActor(context), after),
    takeHeldForm(context, request),
  ]);
  return { after, next, payments: payments.map(shownPayment), held };
}

/** Moments are put into words here, so that the browser's own zone cannot contradict them. */
function shownPayment({ begunAt, amountPaise, terms, refund, ...payment }: OwnPayment) {
  const { status } = payment;
  return {
    ...payment,
    begun: shortDateTime(begunAt),
    amount: formatRupees(amountPaise),
    badge: paymentBadge(status, refund?.state ?? null),
    note: paymentNote(status, refund?.state ?? null),
    steps: refund && refundSteps(refund),
    // Of what was not paid, or is on its way back, there is nothing more to say.
    terms: status === "success" && !refund ? shownTerms(terms) : null,
  };
}

function shownTerms(terms: RefundTerms): ShownTerms {
  return terms.may === "ask" ? { may: "ask", until: shortDateTime(terms.until) } : terms;
}

const said = {
  approved: { title: "Your money is on its way back", description: `It takes ${refundTakes}.` },
  asked: { title: "Asked for", description: `We decide within ${decidedWithin / hour} hours.` },
} as const;

/** Takes back the money of a payment, or asks for it; which of both the terms say. */
const refundForm = formIntent({
  schema: z.object({ orderId: z.string(), reason: z.string() }),
  run({ context, value: { orderId, reason } }) {
    const { db, config } = context.get(appContext);
    return askForRefund(db, context.get(currentActor), orderId, reason, config);
  },
  done: (became) => succeeded({ kind: "success", ...said[became] }),
  failed: "No money went back",
});

export const action = formActions({ refund: refundForm });

/** Also after a refusal: what is possible may have changed since the page was shown. */
export function shouldRevalidate({
  formMethod,
  actionStatus = 200,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs) {
  return formMethod === "POST" ? actionStatus < 500 : defaultShouldRevalidate;
}

export default function Payments({ loaderData }: Route.ComponentProps) {
  const { payments, after, next, held } = loaderData;
  const [params] = useSearchParams();
  const here = `/profile/payments${after ? `?after=${after}` : ""}`;
  const asked = payments.find(({ orderId }) => orderId === params.get("refund"));
  return (
    <Page
      title={title}
      width="text"
      intro="The newest first, in Indian Standard Time."
      actions={
        <ButtonLink to="/profile" variant="ghost" prefetch="intent">
          <Icon name="arrow-left" />
          Back to Profile
        </ButtonLink>
      }
    >
      <RefundDialog payment={asked ?? null} closed={here} held={held} />
      {payments.length === 0 ? (
        <EmptyState
          title="No payments here."
          drawing="table"
          action={<ButtonLink to="/services">See the reviews</ButtonLink>}
        >
          What you pay for stands here from then on, with its transaction id and its receipt.
        </EmptyState>
      ) : (
        <Card>
          <ol className="payments">
            {payments.map((payment) => (
              <PaymentRow key={payment.orderId} payment={payment} here={here} />
            ))}
          </ol>
        </Card>
      )}
      {(after || next) && (
        <nav className="payments-pages" aria-label="Pages">
          {after && <Link to="/profile/payments">Newest payments</Link>}
          {next && <Link to={`/profile/payments?after=${next}`}>Older payments</Link>}
        </nav>
      )}
    </Page>
  );
}

type Shown = Route.ComponentProps["loaderData"]["payments"][number];

function PaymentRow({ payment, here }: { payment: Shown; here: string }) {
  const { orderId, service, amount, begun, status, badge, note, steps } = payment;
  const ask = `${here}${here.includes("?") ? "&" : "?"}refund=${orderId}`;
  return (
    <li className="payment" data-status={status}>
      <h2>{service}</h2>
      <p className="payment-amount">{amount}</p>
      <p className="payment-facts">
        <Badge tone={badge.tone}>{badge.label}</Badge>
        <span>{begun}</span>
      </p>
      <p className="payment-id">
        <span className="sr-only">Transaction </span>
        {orderId}
      </p>
      {note && <p className="payment-note">{note}</p>}
      {steps && <RefundProgress steps={steps} />}
      <Ways payment={payment} />
      <RefundWay payment={payment} ask={ask} />
    </li>
  );
}

/** Where to go from a payment. */
function Ways({ payment }: { payment: Shown }) {
  const { orderId, service, begun, status, retryPath, reviewId } = payment;
  const which = <span className="sr-only">{`: ${service}, ${begun}`}</span>;
  return (
    <p className="payment-ways">
      {status === "pending" && (
        <ButtonLink to={`/payment-success?txnId=${orderId}`} variant="secondary" size="sm">
          Look again{which}
        </ButtonLink>
      )}
      {status === "failed" && retryPath && (
        <ButtonLink to={retryPath} variant="secondary" size="sm">
          Try again{which}
        </ButtonLink>
      )}
      {status === "success" && (
        <>
          <Link to={`/profile/payments/${orderId}`} prefetch="intent">
            <Icon name="file" />
            Receipt{which}
          </Link>
          <Link to={`/profile/payments/${orderId}/receipt.pdf`} reloadDocument>
            <Icon name="download" />
            PDF{which}
          </Link>
        </>
      )}
      {reviewId && (
        // Its policy on images from elsewhere comes with the document.
        <Link to={`/service-review/${reviewId}`} reloadDocument>
          <Icon name="eye" />
          View review{which}
        </Link>
      )}
    </p>
  );
}
