import { queueMail } from "../mail/queue-mail.server.ts";
import type { Config } from "../platform/config.server.ts";
import type { Database } from "../platform/database.server.ts";
import { GivenUpMail, WrongAmountMail } from "./emails.tsx";
import type { Callback, Verification } from "./payu.server.ts";

/** Mails support about a payment of a wrong amount, once for each order. */
export async function reportWrongAmountLater(
  tx: Database,
  { product }: Pick<Config, "product">,
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
  { product }: Pick<Config, "product">,
  { orderId, amountPaise }: { orderId: string; amountPaise: number },
  why: string,
): Promise<void> {
  await queueMail(tx, {
    cause: `order-given-up:${orderId}`,
    to: product.supportEmail,
    subject: `Payment of order ${orderId} could not be settled`,
    body: <GivenUpMail product={product} orderId={orderId} askedPaise={amountPaise} why={why} />,
  });
}
