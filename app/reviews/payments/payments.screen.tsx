import { Link } from "react-router";
import { signedInActor } from "../../accounts/actor.server.ts";
import { signedInGuard } from "../../accounts/guards.server.ts";
import { formatRupees } from "../../payments/money.ts";
import { appContext } from "../../platform/app-context.server.ts";
import { shortDateTime } from "../../platform/clock.ts";
import { Icon } from "../../ui/brand/icon.tsx";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { ButtonLink } from "../../ui/form/button.tsx";
import { Badge, Card } from "../../ui/layout/card.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { titled } from "../../ui/meta/title.ts";
import type { Route } from "./+types/payments.screen.ts";
import { listOwnPayments } from "./own-payments.server.ts";
import { paymentBadge, paymentNote } from "./rules.ts";

const title = "Payments";

export const middleware = [signedInGuard];

export const meta: Route.MetaFunction = ({ matches }) => titled(matches, title);

export async function loader({ url, context }: Route.LoaderArgs) {
  const after = url.searchParams.get("after");
  const { payments, next } = await listOwnPayments(
    context.get(appContext).db,
    signedInActor(context),
    after,
  );
  return {
    after,
    next,
    payments: payments.map(({ begunAt, amountPaise, ...payment }) => ({
      ...payment,
      begun: shortDateTime(begunAt),
      amount: formatRupees(amountPaise),
    })),
  };
}

export default function Payments({ loaderData: { payments, after, next } }: Route.ComponentProps) {
  return (
    <Page
      title={title}
      width="text"
      intro="Each payment and each attempt at one, the newest first. Times are Indian Standard Time."
      actions={
        <ButtonLink to="/profile" variant="ghost" prefetch="intent">
          <Icon name="arrow-left" />
          Back to Profile
        </ButtonLink>
      }
    >
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
              <PaymentRow key={payment.orderId} payment={payment} />
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

function PaymentRow({ payment }: { payment: Shown }) {
  const { orderId, service, amount, begun, status, refund } = payment;
  const badge = paymentBadge(status, refund?.state ?? null);
  const note = paymentNote(status, refund?.state ?? null);
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
      <Ways payment={payment} />
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
