import { data } from "react-router";
import { getSignedInActor } from "../../accounts/actor.server.ts";
import { requireSignIn } from "../../accounts/guards.server.ts";
import { appContext } from "../../platform/app-context.server.ts";
import type { OwnPath } from "../../platform/own-path.ts";
import { Icon } from "../../ui/brand/icon.tsx";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { ButtonLink } from "../../ui/form/button.tsx";
import { BackLink } from "../../ui/layout/back-link.tsx";
import { Card } from "../../ui/layout/card.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { buildPrivateMeta } from "../../ui/meta.ts";
import type { Route } from "./+types/receipt.screen.ts";
import { listDocuments } from "./own-payments.server.ts";
import type { PaymentDocument } from "../../payments/payment-document.ts";
import * as styles from "./payments.module.css";

const title = "Receipt";

export const middleware = [requireSignIn];

/** The title has the order id, since browsers name a printed or saved receipt by it. */
export const meta: Route.MetaFunction = ({ matches, params, loaderData }) =>
  buildPrivateMeta(matches, `${loaderData?.documents[0]?.title ?? title} ${params.orderId}`);

export const headers: Route.HeadersFunction = () => ({ "Cache-Control": "private, no-store" });

export async function loader({ params: { orderId }, context }: Route.LoaderArgs) {
  const { db, config } = context.get(appContext);
  const documents = await listDocuments(db, getSignedInActor(context), orderId, config.product);
  // Another person's payment and an unpaid one get the same answer, so that nobody learns which exist.
  return data({ orderId, documents }, { status: documents.length > 0 ? 200 : 404 });
}

export default function ReceiptScreen({
  loaderData: { orderId, documents },
}: Route.ComponentProps) {
  const back = (
    <BackLink to="/profile/payments" prefetch="intent">
      Back to Payments
    </BackLink>
  );
  const [first, creditNote] = documents;
  if (!first)
    return (
      <Page back={back} title={title} width="text">
        <EmptyState title="We couldn't find that receipt" drawing="lost">
          You get a receipt once a payment is confirmed. Find yours under Payments.
        </EmptyState>
      </Page>
    );
  return (
    <Page
      back={back}
      title={first.title}
      width="text"
      actions={<DownloadLink to={`/profile/payments/${orderId}/receipt.pdf`} />}
    >
      <Card tone="marked" className={styles.receipt} as="article">
        <ReceiptSlip content={first} />
      </Card>
      {creditNote && (
        <section className={styles.creditNote}>
          <h2>{creditNote.title}</h2>
          <DownloadLink to={`/profile/payments/${orderId}/credit-note.pdf`} />
          <Card tone="marked" className={styles.receipt} as="article">
            <ReceiptSlip content={creditNote} />
          </Card>
        </section>
      )}
    </Page>
  );
}

function DownloadLink({ to }: { to: OwnPath }) {
  return (
    <ButtonLink to={to} variant="secondary" reloadDocument>
      <Icon name="download" />
      Download as PDF
    </ButtonLink>
  );
}

function ReceiptSlip({ content }: { content: PaymentDocument }) {
  const { productName, facts, amounts, end } = content;
  return (
    <>
      <p className={styles.receiptProduct}>{productName}</p>
      <dl className={styles.receiptFacts}>
        {facts.map(({ name, value }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <dl className={styles.receiptSums}>
        {amounts.map(({ label, amount, isTotal }) => (
          <div key={label} className={isTotal && styles.receiptTotal}>
            <dt>{label}</dt>
            <dd>{amount}</dd>
          </div>
        ))}
      </dl>
      <p className={styles.receiptLast}>{end}</p>
    </>
  );
}
