import { eq } from "drizzle-orm";
import { listStaff } from "../accounts/mail-choices/mail-choices.server.ts";
import { ownEmail } from "../accounts/sealed-accounts.server.ts";
import { users } from "../accounts/tables.server.ts";
import { MailAction, MailLayout, MailText } from "../mail/mail-layout.tsx";
import { type NewMail, queueMail } from "../mail/deliver-mail.server.ts";
import { formatShortDateTime } from "../platform/clock.ts";
import type { Config } from "../platform/config.server.ts";
import type { Database } from "../platform/database.server.ts";
import { formatRupees, formatDecimalRupees } from "./money.ts";
import type { Callback, Verification } from "./payu.server.ts";
import { refundTakes } from "./refund-rules.ts";

/** The settings that emails about payments need. */
export type Sender = Pick<Config, "origin" | "product">;

/** Emails support about a payment with a wrong amount, once per order. */
export async function reportWrongAmountLater(
  tx: Database,
  { origin, product }: Sender,
  { orderId, amountPaise }: { orderId: string; amountPaise: number },
  { callback, verification }: { callback: Callback | null; verification: Verification },
): Promise<void> {
  const report = verification.outcome === "success" ? verification : callback;
  await queueMail(tx, {
    cause: `wrong-amount:${orderId}`,
    to: product.supportEmail,
    subject: `Wrong amount paid for order ${orderId}`,
    body: (
      <WrongAmountMail
        origin={origin}
        product={product}
        orderId={orderId}
        orderPaise={amountPaise}
        paidPaise={report?.amountPaise ?? null}
      />
    ),
  });
}

/** Emails support about an order that is no longer checked with the provider, once per order. */
export async function reportGivenUpLater(
  tx: Database,
  { origin, product }: Sender,
  { orderId, amountPaise }: { orderId: string; amountPaise: number },
  why: string,
): Promise<void> {
  await queueMail(tx, {
    cause: `order-given-up:${orderId}`,
    to: product.supportEmail,
    subject: `Payment for order ${orderId} could not be settled`,
    body: (
      <GivenUpMail
        origin={origin}
        product={product}
        orderId={orderId}
        orderPaise={amountPaise}
        why={why}
      />
    ),
  });
}

/** Queues the email to support about a paid order whose buyer's account was deleted before it was settled. */
export async function reportPaidWithoutAccountLater(
  tx: Database,
  { origin, product }: Sender,
  orderId: string,
): Promise<void> {
  await queueMail(tx, {
    cause: `paid-without-account:${orderId}`,
    to: product.supportEmail,
    subject: `Order ${orderId} was paid from a deleted account`,
    body: (
      <MailLayout
        product={product}
        title="Payment from a deleted account"
        preview={`Order ${orderId} is paid, but its buyer deleted their account.`}
      >
        <MailText>
          Order {orderId} was paid after its buyer&apos;s account was deleted, so we delivered
          nothing.
        </MailText>
        <MailAction href={`${origin}/admin/orders/${orderId}`}>Refund the order</MailAction>
      </MailLayout>
    ),
  });
}

/** To support: money may have moved, but not the amount of the order. */
function WrongAmountMail({
  origin,
  product,
  orderId,
  orderPaise,
  paidPaise,
}: {
  origin: string;
  product: Sender["product"];
  orderId: string;
  orderPaise: number;
  paidPaise: number | null;
}) {
  const paid = paidPaise === null ? "an unreadable amount" : formatMailAmount(paidPaise);
  return (
    <MailLayout
      product={product}
      title="Wrong amount paid"
      preview={`Order ${orderId} was not delivered.`}
    >
      <MailText>
        PayU reports {paid} for order {orderId}. The order is for {formatMailAmount(orderPaise)}.
      </MailText>
      <MailText>
        Nothing was delivered, and the order is not settled. Refund the payment or resolve it with
        the buyer.
      </MailText>
      <MailAction href={`${origin}/admin/orders/${orderId}`}>Open the order</MailAction>
    </MailLayout>
  );
}

/** To support: the last check is over, and the payment's status is still unknown. */
function GivenUpMail({
  origin,
  product,
  orderId,
  orderPaise,
  why,
}: {
  origin: string;
  product: Sender["product"];
  orderId: string;
  orderPaise: number;
  why: string;
}) {
  return (
    <MailLayout
      product={product}
      title="A payment could not be settled"
      preview={`We no longer check order ${orderId}.`}
    >
      <MailText>
        We asked PayU about order {orderId} ({formatMailAmount(orderPaise)}) for eight days and got
        no final answer. {why}
      </MailText>
      <MailText>
        Find the payment in PayU&apos;s dashboard. Then open the order and check it again.
      </MailText>
      <MailAction href={`${origin}/admin/orders/${orderId}`}>Open the order</MailAction>
    </MailLayout>
  );
}

function formatMailAmount(paise: number): string {
  return `₹${formatDecimalRupees(paise)}`;
}

type Order = { orderId: string; buyerId: string | null };
type Refund = { id: string; amountPaise: number };

/** Tells a buyer that their refund is approved, and how long it takes. */
export function notifyOfApprovalLater(
  tx: Database,
  sender: Sender,
  order: Order,
  { id, amountPaise }: Refund,
): Promise<void> {
  const amount = formatRupees(amountPaise);
  return notifyBuyerLater(tx, sender, order, {
    cause: `refund-approved:${id}`,
    subject: `Your refund of ${amount} is on its way`,
    preview: `It arrives in ${refundTakes}.`,
    sentences: [
      `We're refunding ${amount} for your payment ${order.orderId}.`,
      `It takes ${refundTakes} to reach the account or card you paid with.`,
    ],
  });
}

/** Tells a buyer that the provider has refunded the payment. */
export function notifyOfSettlementLater(
  tx: Database,
  sender: Sender,
  order: Order,
  refund: Refund,
): Promise<void> {
  return notifyBuyerLater(tx, sender, order, buildSettlementText(order, refund));
}

/** The text of the email about a settled refund, for {@link buildBuyerMail}. */
export function buildSettlementText({ orderId }: Order, { id, amountPaise }: Refund): BuyerText {
  const amount = formatRupees(amountPaise);
  return {
    cause: `refund-settled:${id}`,
    subject: `${amount} refunded`,
    preview: "We sent it to the account or card you paid with.",
    sentences: [
      `We refunded ${amount} for your payment ${orderId} to the account or card you paid with.`,
      "It can take your bank another day or two to show it. If it doesn't arrive, reply to this email.",
    ],
  };
}

/** Tells a buyer that a refund was declined, in the admin's words. */
export function notifyOfDeclineLater(
  tx: Database,
  sender: Sender,
  order: Order,
  refund: { id: string; answer: string },
): Promise<void> {
  return notifyBuyerLater(tx, sender, order, buildDeclineText(order, refund));
}

/** The text of the email about a declined refund, for {@link buildBuyerMail}. */
export function buildDeclineText(
  { orderId }: Order,
  { id, answer }: { id: string; answer: string },
): BuyerText {
  return {
    cause: `refund-declined:${id}`,
    subject: `Your refund request for payment ${orderId}`,
    preview: "We read your reason and made a decision.",
    sentences: [
      `You requested a refund for your payment ${orderId}. We declined it for this reason:`,
      answer,
      "If you disagree, reply to this email.",
    ],
  };
}

type BuyerText = { cause: string; subject: string; preview: string; sentences: string[] };

/** A deleted account gets no email. A closed one does until it is purged, since the money is theirs. */
async function notifyBuyerLater(tx: Database, sender: Sender, { buyerId }: Order, text: BuyerText) {
  if (!buyerId) return;
  const [buyer] = await tx.select({ email: ownEmail }).from(users).where(eq(users.id, buyerId));
  if (buyer) await queueMail(tx, buildBuyerMail(sender, buyer.email, text));
}

/** Builds an email to a buyer about the money of an order. @param to the buyer's address */
export function buildBuyerMail(
  { origin, product }: Sender,
  to: string,
  { cause, subject, preview, sentences }: BuyerText,
): NewMail {
  return {
    cause,
    to,
    replyTo: product.supportEmail,
    subject,
    body: (
      <MailLayout product={product} title={subject} preview={preview}>
        {sentences.map((sentence) => (
          <MailText key={sentence}>{sentence}</MailText>
        ))}
        <MailAction href={`${origin}/profile/payments`}>Open my payments</MailAction>
      </MailLayout>
    ),
  };
}

/**
 * Emails the god admins about a requested refund and its deadline, since only they can decide. If no god admin
 * can sign in, support gets the email.
 */
export async function reportAskedRefundLater(
  tx: Database,
  sender: Sender,
  order: Order,
  refund: AskedRefund,
): Promise<void> {
  const admins = await listStaff(tx, "god_admin");
  const support = { id: "support", email: sender.product.supportEmail };
  for (const recipient of admins.length > 0 ? admins : [support])
    await queueMail(tx, buildRefundRequestMail(sender, recipient, order, refund));
}

type AskedRefund = Refund & { reason: string; until: Date };

/** Builds the email that asks a god admin to decide on a refund. */
export function buildRefundRequestMail(
  { origin, product }: Sender,
  recipient: { id: string; email: string },
  { orderId }: Order,
  { id, amountPaise, reason, until }: AskedRefund,
): NewMail {
  return {
    cause: `refund-asked:${id}:${recipient.id}`,
    to: recipient.email,
    subject: `Refund requested for order ${orderId}`,
    body: (
      <MailLayout
        product={product}
        title="Refund request"
        preview={`Decide by ${formatShortDateTime(until)}.`}
      >
        <MailText>
          The customer requested a refund of {formatRupees(amountPaise)} for order {orderId}. Their
          reason:
        </MailText>
        <MailText>{reason}</MailText>
        <MailText>We promised an answer by {formatShortDateTime(until)}.</MailText>
        <MailAction href={`${origin}/admin/orders/${orderId}`}>Approve or decline</MailAction>
      </MailLayout>
    ),
  };
}

/** Emails support about a refund that the provider rejected, once per refund. */
export async function reportFailedRefundLater(
  tx: Database,
  { origin, product }: Sender,
  { orderId }: Order,
  { id, amountPaise, failure }: Refund & { failure: string },
): Promise<void> {
  await queueMail(tx, {
    cause: `refund-failed:${id}`,
    to: product.supportEmail,
    subject: `Refund of order ${orderId} failed`,
    body: (
      <MailLayout
        product={product}
        title="Refund failed"
        preview={`Order ${orderId} is not refunded.`}
      >
        <MailText>
          PayU didn&apos;t refund {formatRupees(amountPaise)} for order {orderId}: {failure}
        </MailText>
        <MailText>We won&apos;t retry until an admin refunds it again.</MailText>
        <MailAction href={`${origin}/admin/orders/${orderId}`}>Open the order</MailAction>
      </MailLayout>
    ),
  });
}
