import { data } from "react-router";
import { getSignedInActor } from "../../accounts/actor.server.ts";
import { requireSignIn } from "../../accounts/guards.server.ts";
import { appContext } from "../../platform/app-context.server.ts";
import { Icon } from "../../ui/brand/icon.tsx";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { ButtonLink } from "../../ui/form/button.tsx";
import { BackLink } from "../../ui/layout/back-link.tsx";
import { Card } from "../../ui/layout/card.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { buildPrivateMeta } from "../../ui/meta.ts";
import type { Route } from "./+types/receipt.screen.ts";
import { findReceipt } from "./own-payments.server.ts";
import { listReceiptFacts, formatReceiptEnd, type Receipt } from "./rules.ts";
import * as styles from "./payments.module.css";

const title = "Receipt";

export const middleware = [requireSignIn];

/** The title has the order id, since browsers name a printed or saved receipt by it. */
export const meta: Route.MetaFunction = ({ matches, params }) =>
  buildPrivateMeta(matches, `${title} ${params.orderId}`);

export const headers: Route.HeadersFunction = () => ({ "Cache-Control": "private, no-store" });

export async function loader({ params, context }: Route.LoaderArgs) {
  const { db, config } = context.get(appContext);
  const receipt = await findReceipt(db, getSignedInActor(context), params.orderId, config.product);
  // Another person's payment and an unpaid one get the same answer, so that nobody learns which exist.
  return receipt ? { receipt } : data({ receipt }, { status: 404 });
}

export default function ReceiptScreen({ loaderData: { receipt } }: Route.ComponentProps) {
  const back = (
    <BackLink to="/profile/payments" prefetch="intent">
      Back to Payments
    </BackLink>
  );
  if (!receipt)
    return (
      <Page back={back} title={title} width="text">
        <EmptyState title="We couldn't find that receipt" drawing="lost">
          You get a receipt once a payment is confirmed. Find yours under Payments.
        </EmptyState>
      </Page>
    );
  const { orderId } = receipt;
  return (
    <Page
      back={back}
      title={title}
      width="text"
      actions={
        <ButtonLink
          to={`/profile/payments/${orderId}/receipt.pdf`}
          variant="secondary"
          reloadDocument
        >
          <Icon name="download" />
          Download as PDF
        </ButtonLink>
      }
    >
      <Card tone="marked" className={styles.receipt} as="article">
        <ReceiptSlip receipt={receipt} />
      </Card>
    </Page>
  );
}

function ReceiptSlip({ receipt }: { receipt: Receipt }) {
  const { productName, service, amount, refund } = receipt;
  return (
    <>
      <p className={styles.receiptProduct}>{productName}</p>
      <dl className={styles.receiptFacts}>
        {listReceiptFacts(receipt).map(({ name, value }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <dl className={styles.receiptSums}>
        <div>
          <dt>{service}</dt>
          <dd>{amount}</dd>
        </div>
        <div className={styles.receiptTotal}>
          <dt>Paid</dt>
          <dd>{amount}</dd>
        </div>
        {refund && (
          <div>
            <dt>{refund.label}</dt>
            <dd>−{refund.amount}</dd>
          </div>
        )}
      </dl>
      <p className={styles.receiptLast}>{formatReceiptEnd(receipt)}</p>
    </>
  );
}
