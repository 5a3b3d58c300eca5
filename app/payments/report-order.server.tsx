import { MailAction, MailLayout, MailText } from "../mail/mail-layout.tsx";
import { queueMail } from "../mail/mails.server.ts";
import type { Config } from "../platform/config.server.ts";
import type { Database } from "../platform/database.server.ts";
import { rupeesWithPaise } from "./money.ts";
import type { Callback, Verification } from "./payu.server.ts";

/** Mails support about a payment of a wrong amount, once for each order. */
export async function reportWrongAmountLater(
  tx: Database,
  { origin, product }: Pick<Config, "origin" | "product">,
  { orderId, amountPaise }: { orderId: string; amountPaise: number },
  { callback, verification }: { callback: Callback | null; verification: Verification },
): Promise<void> {
  const said = verification.outcome === "success" ? verification : callback;
  await queueMail(tx, {
    cause: `wrong-amount:${orderId}`,
    to: product.supportEmail,
    subject: `Wrong amount paid for order ${orderId}`,
    body: (
      <WrongAmountMail
        origin={origin}
        product={product}
        orderId={orderId}
        askedPaise={amountPaise}
        saidPaise={said?.amountPaise ?? null}
      />
    ),
  });
}

/** Mails support about an order that the provider is asked about no more, once for each order. */
export async function reportGivenUpLater(
  tx: Database,
  { origin, product }: Pick<Config, "origin" | "product">,
  { orderId, amountPaise }: { orderId: string; amountPaise: number },
  why: string,
): Promise<void> {
  await queueMail(tx, {
    cause: `order-given-up:${orderId}`,
    to: product.supportEmail,
    subject: `Payment of order ${orderId} could not be settled`,
    body: (
      <GivenUpMail
        origin={origin}
        product={product}
        orderId={orderId}
        askedPaise={amountPaise}
        why={why}
      />
    ),
  });
}

type Product = { name: string; supportEmail: string };

/** To support: money may have moved, but not the money that the order asked for. */
function WrongAmountMail({
  origin,
  product,
  orderId,
  askedPaise,
  saidPaise,
}: {
  origin: string;
  product: Product;
  orderId: string;
  askedPaise: number;
  saidPaise: number | null;
}) {
  const said = saidPaise === null ? "an amount that cannot be read" : rupees(saidPaise);
  return (
    <MailLayout
      product={product}
      title="A payment of a wrong amount"
      preview={`Order ${orderId} was not delivered.`}
    >
      <MailText>
        The provider reports {said} for order {orderId}, which is for {rupees(askedPaise)}.
      </MailText>
      <MailText>
        Nothing was delivered and the order is not settled. Look at it, and give back what was paid
        or settle it with the buyer:
      </MailText>
      <MailAction href={`${origin}/admin/orders/${orderId}`}>Look at the order</MailAction>
    </MailLayout>
  );
}

/** To support: the last check is over, and it is not known whether the buyer has paid. */
function GivenUpMail({
  origin,
  product,
  orderId,
  askedPaise,
  why,
}: {
  origin: string;
  product: Product;
  orderId: string;
  askedPaise: number;
  why: string;
}) {
  return (
    <MailLayout
      product={product}
      title="A payment that could not be settled"
      preview={`Order ${orderId} is checked no more.`}
    >
      <MailText>
        For eight days we have asked the provider about order {orderId}, of {rupees(askedPaise)},
        without an end. {why}
      </MailText>
      <MailText>
        Look at the payment in the provider&apos;s dashboard, and ask once more where the order
        stands:
      </MailText>
      <MailAction href={`${origin}/admin/orders/${orderId}`}>Look at the order</MailAction>
    </MailLayout>
  );
}

function rupees(paise: number): string {
  return `₹${rupeesWithPaise(paise)}`;
}
