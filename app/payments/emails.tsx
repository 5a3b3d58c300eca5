import { eq } from "drizzle-orm";
import { listStaff } from "../accounts/mail-choices/mail-choices.server.ts";
import { users } from "../accounts/tables.server.ts";
import { MailAction, MailLayout, MailText } from "../mail/mail-layout.tsx";
import { type NewMail, queueMail } from "../mail/deliver-mail.server.ts";
import { formatShortDateTime } from "../platform/clock.ts";
import type { Config } from "../platform/config.server.ts";
import type { Database } from "../platform/database.server.ts";
import { formatRupees, formatDecimalRupees } from "./money.ts";
import type { Callback, Verification } from "./payu.server.ts";
import { refundTakes } from "./refund-rules.ts";

/** The settings that mails about payments need. */
export type Sender = Pick<Config, "origin" | "product">;

/** Mails support about a payment of a wrong amount, once for each order. */
export async function reportWrongAmountLater(
  tx: Database,
  { origin, product }: Sender,
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
  { origin, product }: Sender,
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

/** To support: money may have moved, but not the money that the order asked for. */
function WrongAmountMail({
  origin,
  product,
  orderId,
  askedPaise,
  saidPaise,
}: {
  origin: string;
  product: Sender["product"];
  orderId: string;
  askedPaise: number;
  saidPaise: number | null;
}) {
  const said = saidPaise === null ? "an amount that cannot be read" : formatMailAmount(saidPaise);
  return (
    <MailLayout
      product={product}
      title="A payment of a wrong amount"
      preview={`Order ${orderId} was not delivered.`}
    >
      <MailText>
        The provider reports {said} for order {orderId}, which is for {formatMailAmount(askedPaise)}
        .
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
  product: Sender["product"];
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
        For eight days we have asked the provider about order {orderId}, of{" "}
        {formatMailAmount(askedPaise)}, without an end. {why}
      </MailText>
      <MailText>
        Look at the payment in the provider&apos;s dashboard, and ask once more where the order
        stands:
      </MailText>
      <MailAction href={`${origin}/admin/orders/${orderId}`}>Look at the order</MailAction>
    </MailLayout>
  );
}

function formatMailAmount(paise: number): string {
  return `₹${formatDecimalRupees(paise)}`;
}

type Order = { orderId: string; buyerId: string | null };
type Refund = { id: string; amountPaise: number };

/** Notifies a buyer that their refund is approved, and how long it takes. */
export function notifyOfApprovalLater(
  tx: Database,
  sender: Sender,
  order: Order,
  { id, amountPaise }: Refund,
): Promise<void> {
  const amount = formatRupees(amountPaise);
  return notifyBuyerLater(tx, sender, order, {
    cause: `refund-approved:${id}`,
    subject: `Your refund of ${amount} is under way`,
    preview: `It takes ${refundTakes}.`,
    sentences: [
      `We give back ${amount} of your payment ${order.orderId}.`,
      `It takes ${refundTakes} to reach the account or card that you paid with.`,
    ],
  });
}

/** Tells a buyer that the provider has given the money back. */
export function notifyOfSettlementLater(
  tx: Database,
  sender: Sender,
  order: Order,
  refund: Refund,
): Promise<void> {
  return notifyBuyerLater(tx, sender, order, buildSettlementText(order, refund));
}

/** The text of the mail about a settled refund, for {@link buildBuyerMail}. */
export function buildSettlementText({ orderId }: Order, { id, amountPaise }: Refund): BuyerText {
  const amount = formatRupees(amountPaise);
  return {
    cause: `refund-settled:${id}`,
    subject: `${amount} refunded`,
    preview: "It went back the way it came.",
    sentences: [
      `Your payment ${orderId} is refunded: ${amount} went back to the account or card that you paid with.`,
      "Until your bank shows it may take a day or two more. If it does not come, answer this mail.",
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

/** The text of the mail about a declined refund, for {@link buildBuyerMail}. */
export function buildDeclineText(
  { orderId }: Order,
  { id, answer }: { id: string; answer: string },
): BuyerText {
  return {
    cause: `refund-declined:${id}`,
    subject: `About the refund of your payment ${orderId}`,
    preview: "We have read your reason, and decided.",
    sentences: [
      `You asked for a refund of your payment ${orderId}. We have declined it:`,
      answer,
      "If you see it in another way, answer this mail.",
    ],
  };
}

type BuyerText = { cause: string; subject: string; preview: string; sentences: string[] };

/** A deleted account gets no mail. */
async function notifyBuyerLater(
  tx: Database,
  sender: Sender,
  { buyerId }: Order,
  text: BuyerText,
): Promise<void> {
  if (!buyerId) return;
  const [buyer] = await tx.select({ email: users.email }).from(users).where(eq(users.id, buyerId));
  if (buyer) await queueMail(tx, buildBuyerMail(sender, buyer.email, text));
}

/** A mail to a buyer about the money of an order. @param to the buyer's address */
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
 * Mails the god admins about a requested refund and its deadline, since only they can decide; mails support
 * when no god admin can sign in.
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

/** The mail that asks a god admin to decide about a refund. */
export function buildRefundRequestMail(
  { origin, product }: Sender,
  recipient: { id: string; email: string },
  { orderId }: Order,
  { id, amountPaise, reason, until }: AskedRefund,
): NewMail {
  return {
    cause: `refund-asked:${id}:${recipient.id}`,
    to: recipient.email,
    subject: `A refund of order ${orderId} is asked for`,
    body: (
      <MailLayout
        product={product}
        title="A refund to decide"
        preview={`To be decided by ${formatShortDateTime(until)}.`}
      >
        <MailText>
          The customer of order {orderId} asks for {formatRupees(amountPaise)} back, because:
        </MailText>
        <MailText>{reason}</MailText>
        <MailText>We promise an answer by {formatShortDateTime(until)}.</MailText>
        <MailAction href={`${origin}/admin/orders/${orderId}`}>Decide about it</MailAction>
      </MailLayout>
    ),
  };
}

/** Mails support about a refund that the provider did not make, once for each. */
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
        title="A refund that failed"
        preview={`Order ${orderId} is not refunded.`}
      >
        <MailText>
          The provider did not refund {formatRupees(amountPaise)} of order {orderId}: {failure}
        </MailText>
        <MailText>Nothing is tried again until an admin refunds it once more.</MailText>
        <MailAction href={`${origin}/admin/orders/${orderId}`}>Look at the order</MailAction>
      </MailLayout>
    ),
  });
}
