import { useSearchParams } from "react-router";
import { z } from "zod";
import { currentActor, getSignedInActor } from "../../accounts/actor.server.ts";
import { requireSignIn } from "../../accounts/guards.server.ts";
import { restoreInterruptedForm } from "../../accounts/interrupted-forms.server.ts";
import { listCovers } from "../../annotations/document-pages/covers.server.ts";
import { PageThumbnail, type Thumbnail } from "../../annotations/document-pages/page-thumbnail.tsx";
import { formatRupees } from "../../payments/money.ts";
import { decidedWithin, maxReasonLength, refundTakes } from "../../payments/refund-rules.ts";
import { appContext } from "../../platform/app-context.server.ts";
import { hour, formatShortDateTime } from "../../platform/clock.ts";
import { writeQuery } from "../../platform/lists/lists.ts";
import {
  createFormActions,
  createFormIntent,
  buildSuccess,
  withFallback,
} from "../../platform/forms.server.ts";
import type { OwnAddress, OwnPath } from "../../platform/own-path.ts";
import { revalidateAfterRefusal } from "../../ui/refused-forms.ts";
import { Icon } from "../../ui/brand/icon.tsx";
import { useRevalidateOnReturn } from "../../ui/coming-back.ts";
import { FormDialog } from "../../ui/feedback/form-dialog.tsx";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { ButtonLink } from "../../ui/form/button.tsx";
import { TextAreaField } from "../../ui/form/field.tsx";
import { BackToProfile } from "../../ui/layout/back-link.tsx";
import { Badge, Card } from "../../ui/layout/card.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { Link } from "../../ui/link.tsx";
import { buildPrivateMeta } from "../../ui/meta.ts";
import { requestRefund } from "../refunds/refunds.server.ts";
import type { RefundTerms } from "../refunds/terms.ts";
import type { Route } from "./+types/payments.screen.ts";
import { listOwnPayments, type OwnPayment } from "./own-payments.server.ts";
import { toPaymentBadge, formatPaymentNote, type RefundStep, listRefundSteps } from "./rules.ts";
import * as styles from "./payments.module.css";
import * as resultsStyles from "../result/results.module.css";

const title = "Payments";

export const middleware = [requireSignIn];

export const meta: Route.MetaFunction = ({ matches }) => buildPrivateMeta(matches, title);

export async function loader({ request, url, context }: Route.LoaderArgs) {
  const after = url.searchParams.get("after");
  const { db } = context.get(appContext);
  const actor = getSignedInActor(context);
  const [{ payments, next }, restored] = await Promise.all([
    listOwnPayments(db, actor, after),
    restoreInterruptedForm(context, request),
  ]);
  const ids = payments.map(({ reviewId }) => reviewId).filter((id) => id !== null);
  const covers = await withFallback(context, () => listCovers(db, actor, ids), noCovers);
  const views = payments.map((payment) => ({
    ...toPaymentView(payment),
    cover: covers.get(payment.reviewId ?? "") ?? null,
  }));
  return { after, next, payments: views, restored };
}

const noCovers = new Map<string, Thumbnail>();

/** Formats a payment. Times are formatted on the server, since the browser's time zone may differ. */
function toPaymentView({ startedAt, amountPaise, terms, refund, ...payment }: OwnPayment) {
  const { status } = payment;
  return {
    ...payment,
    startedOn: formatShortDateTime(startedAt),
    amount: formatRupees(amountPaise),
    badge: toPaymentBadge(status, refund?.state ?? null),
    note: formatPaymentNote(status, refund?.state ?? null, payment.isListing),
    steps: refund && listRefundSteps(refund),
    // An unpaid order, or one being refunded, has no further actions.
    terms: status === "success" && !refund ? toTermsView(terms) : null,
  };
}

function toTermsView(terms: RefundTerms): TermsView {
  return terms.may === "ask" ? { may: "ask", until: formatShortDateTime(terms.until) } : terms;
}

const successMessages = {
  approved: {
    title: "Your refund is on its way",
    description: `It takes ${refundTakes} to reach you.`,
  },
  asked: {
    title: "Refund requested",
    description: `We'll decide within ${decidedWithin / hour} hours.`,
  },
} as const;

/** Refunds a payment or requests a refund, depending on its terms. */
const refundForm = createFormIntent({
  schema: z.object({ orderId: z.string(), reason: z.string() }),
  run({ context, value: { orderId, reason } }) {
    const { db, config } = context.get(appContext);
    return requestRefund(db, context.get(currentActor), orderId, reason, config);
  },
  done: (result) => buildSuccess({ kind: "success", ...successMessages[result] }),
  failed: "We couldn't request the refund",
});

export const action = createFormActions({ refund: refundForm });

export const shouldRevalidate = revalidateAfterRefusal;

export default function Payments({ loaderData }: Route.ComponentProps) {
  const { payments, after, next, restored } = loaderData;
  const [params] = useSearchParams();
  useRevalidateOnReturn();
  const here: OwnPath = `/profile/payments${writeQuery({ after })}`;
  const selected = payments.find(({ orderId }) => orderId === params.get("refund"));
  return (
    <Page
      title={title}
      width="text"
      intro="Newest first. Times are in IST."
      back={<BackToProfile />}
    >
      <RequestRefundDialog payment={selected ?? null} closed={here} restored={restored} />
      {payments.length === 0 ? (
        <EmptyState
          title="No payments yet"
          drawing="table"
          action={<ButtonLink to="/services">See the reviews</ButtonLink>}
        >
          Each payment appears here with its transaction ID and receipt.
        </EmptyState>
      ) : (
        <Card>
          <ol className={styles.payments}>
            {payments.map((payment) => (
              <PaymentRow key={payment.orderId} payment={payment} after={after} />
            ))}
          </ol>
        </Card>
      )}
      {(after || next) && (
        <nav className={styles.pages} aria-label="Pages">
          {after && <Link to="/profile/payments">Newest payments</Link>}
          {next && <Link to={`/profile/payments?after=${next}`}>Older payments</Link>}
        </nav>
      )}
    </Page>
  );
}

type PaymentView = Route.ComponentProps["loaderData"]["payments"][number];

function PaymentRow({ payment, after }: { payment: PaymentView; after: string | null }) {
  const { orderId, service, amount, startedOn, status, badge, note, steps, cover } = payment;
  const refundPath: OwnPath = `/profile/payments${writeQuery({ after, refund: orderId })}`;
  return (
    <li className={styles.payment} data-status={status}>
      <div className={resultsStyles.reviewCover}>
        <PageThumbnail thumbnail={cover} ratio={null} label="" />
      </div>
      <h2>{service}</h2>
      <p className={styles.amount}>{amount}</p>
      <p className={styles.facts}>
        <Badge tone={badge.tone}>{badge.label}</Badge>
        <span>{startedOn}</span>
      </p>
      <p className={styles.id}>
        <span className="sr-only">Transaction ID </span>
        {orderId}
      </p>
      {note && <p className={styles.note}>{note}</p>}
      {steps && <RefundProgress steps={steps} />}
      <PaymentLinks payment={payment} />
      <RefundOffer payment={payment} refundPath={refundPath} />
    </li>
  );
}

function PaymentLinks({ payment }: { payment: PaymentView }) {
  const { orderId, service, startedOn, status, retryPath, reviewId, isInvoiced } = payment;
  const hiddenLabel = <span className="sr-only">{`: ${service}, ${startedOn}`}</span>;
  return (
    <p className={styles.ways}>
      {status === "pending" && (
        <ButtonLink to={`/payment-success?txnId=${orderId}`} variant="secondary" size="sm">
          Check again{hiddenLabel}
        </ButtonLink>
      )}
      {status === "failed" && retryPath && (
        <ButtonLink to={retryPath} variant="secondary" size="sm">
          Try again{hiddenLabel}
        </ButtonLink>
      )}
      {status === "success" && (
        <>
          <Link to={`/profile/payments/${orderId}`} prefetch="intent">
            <Icon name="file" />
            {isInvoiced ? "Invoice" : "Receipt"}
            {hiddenLabel}
          </Link>
          <Link to={`/profile/payments/${orderId}/receipt.pdf`} reloadDocument>
            <Icon name="download" />
            PDF{hiddenLabel}
          </Link>
        </>
      )}
      {reviewId && (
        // That page has its own policy on images, which comes with the document.
        <Link to={`/service-review/${reviewId}`} reloadDocument>
          <Icon name="eye" />
          View review{hiddenLabel}
        </Link>
      )}
    </p>
  );
}

/** The possible actions on a payment's money; dates are formatted. */
type TermsView =
  | { may: "at once"; grounds: "not begun" | "overdue" }
  | { may: "ask"; until: string }
  | { may: "no"; why: string };

type Refundable = {
  orderId: string;
  service: string;
  amount: string;
  startedOn: string;
  terms: TermsView | null;
};

/** The refund button of a paid payment, or the reason why there is none. */
function RefundOffer({ payment, refundPath }: { payment: Refundable; refundPath: OwnPath }) {
  const { terms, service, startedOn } = payment;
  if (!terms) return null;
  if (terms.may === "no")
    return (
      <details className={styles.terms}>
        <summary>
          Refund<span className="sr-only">{`: ${service}, ${startedOn}`}</span>
        </summary>
        <p>{terms.why}</p>
      </details>
    );
  return (
    <div className={styles.refund}>
      <ButtonLink to={refundPath} variant="secondary" size="sm" preventScrollReset>
        {terms.may === "at once" ? "Cancel and refund" : "Request refund"}
        <span className="sr-only">{`: ${service}, ${startedOn}`}</span>
      </ButtonLink>
      <p>
        {terms.may === "at once"
          ? reasons[terms.grounds]
          : `You can request a refund until ${terms.until}.`}
      </p>
    </div>
  );
}

const reasons = {
  "not begun": "No reviewer has started yet.",
  overdue: "Your review is overdue.",
};

function RefundProgress({ steps }: { steps: RefundStep[] }) {
  return (
    <ol className={styles.refundSteps} aria-label="Refund">
      {steps.map(({ label, note, state }) => (
        <li key={label} data-state={state} aria-current={state === "now" ? "step" : undefined}>
          {label}
          {note && <q>{note}</q>}
        </li>
      ))}
    </ol>
  );
}

/** Confirms a refund or a request for one, with its amount and time. */
function RequestRefundDialog({
  payment,
  closed,
  restored,
}: {
  /** The selected payment; null closes the dialog. */
  payment: Refundable | null;
  /** The address without the dialog. */
  closed: OwnAddress;
  /** The fields of a form that a sign-in interrupted. */
  restored: Record<string, string>;
}) {
  const terms = payment?.terms ?? null;
  const amount = payment?.amount ?? "";
  const isAsking = terms?.may === "ask";
  return (
    <FormDialog
      open={terms !== null && terms.may !== "no"}
      title={isAsking ? `Request a refund of ${amount}` : `Cancel and refund ${amount}`}
      closed={closed}
      intent="refund"
      submitLabel={isAsking ? "Request refund" : `Refund ${amount}`}
      pendingLabel={isAsking ? "Requesting..." : "Refunding..."}
      variant={isAsking ? "primary" : "danger"}
    >
      {({ errors, values }) => (
        <>
          <input type="hidden" name="orderId" value={payment?.orderId} />
          <p className="mb-4">
            {payment?.service}, paid on {payment?.startedOn}.{" "}
            {isAsking
              ? `We'll decide within ${decidedWithin / hour} hours. If we approve it, we'll refund the full ${amount} to your original payment method. That takes ${refundTakes}.`
              : `This cancels the review. We'll refund the full ${amount} to your original payment method. It takes ${refundTakes} to reach you.`}
          </p>
          {isAsking && (
            <TextAreaField
              label="Why are you requesting a refund?"
              name="reason"
              rows={4}
              maxLength={maxReasonLength}
              defaultValue={values?.reason ?? restored.reason}
              error={errors?.reason}
              hint="Our admins read this and reply to you."
            />
          )}
        </>
      )}
    </FormDialog>
  );
}
