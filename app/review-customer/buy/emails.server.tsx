import type { ReactNode } from "react";
import { and, eq, gt, lte, or, type SQL } from "drizzle-orm";
import {
  type MailRecipient,
  listStaffByMailChoice,
} from "../../accounts/mail-choices/mail-choices.server.ts";
import { users } from "../../accounts/tables.server.ts";
import { storedFiles } from "../../files/tables.server.ts";
import { MailAction, MailLayout, MailStations, MailText } from "../../mail/mail-layout.tsx";
import { type NewMail, queueMail, type Sender } from "../../mail/deliver-mail.server.ts";
import { formatRupees } from "../../payments/money.ts";
import { orders } from "../../payments/tables.server.ts";
import { hour, formatShortDateTime } from "../../platform/clock.ts";
import type { Database } from "../../platform/database.server.ts";
import { listMailStations } from "../../reviews/due-dates/stations.ts";
import type { Service } from "../../reviews/rules.ts";
import { getBoughtService } from "../../reviews/second-looks.ts";
import { serviceReviews } from "../../reviews/tables.server.ts";

/**
 * Queues the emails about a purchase: a confirmation for the buyer, and a notice for each god admin who chose
 * instant emails.
 */
export async function notifyOfPurchaseLater(
  tx: Database,
  sender: Sender,
  reviewId: string,
): Promise<void> {
  for (const mail of await listPurchaseMails(tx, sender, reviewId)) await queueMail(tx, mail);
}

/**
 * Lists the emails about a purchase: the buyer's, then one for each god admin who chose instant emails.
 *
 * @returns an empty list for a review that does not exist or has no order.
 */
export async function listPurchaseMails(
  tx: Database,
  sender: Sender,
  reviewId: string,
): Promise<NewMail[]> {
  const [row] = await listPurchases(tx, eq(serviceReviews.id, reviewId));
  if (!row) return [];
  const bought = toPurchaseFacts(row);
  const admins = await listStaffByMailChoice(tx, "god_admin", "new-order", "at once");
  return [
    buildPurchaseMail(sender, { ...bought, reviewId, materials: await describeMaterials(tx, row) }),
    ...admins.map((admin) => buildNewOrderMail(sender, admin, bought)),
  ];
}

function buildPurchaseMail(
  { origin, product }: Sender,
  { reviewId, orderId, buyer, service, price, paidAt, dueAt, promise, materials }: Bought & Sent,
): NewMail {
  return {
    cause: `purchase:${orderId}`,
    to: buyer,
    replyTo: product.supportEmail,
    subject: `We received your payment for your ${service}`,
    body: (
      <MailLayout
        product={product}
        title={`Thank you for ordering a ${service}`}
        preview={`It will be ready by ${dueAt}.`}
      >
        <MailText>
          We received {price} on {paidAt}. Transaction ID: {orderId}.
        </MailText>
        <MailStations {...listMailStations(promise, promise.createdAt)} />
        <MailText>You sent: {materials}.</MailText>
        <MailText>
          We&apos;ll email you when your review is ready, by {dueAt}. You can cancel for a full
          refund under Payments until a reviewer starts, or if we&apos;re late.
        </MailText>
        <MailAction href={`${origin}/service-review/${reviewId}`}>View my review</MailAction>
        <MailText>
          <a href={`${origin}/profile/payments/${orderId}`}>View your receipt</a>
        </MailText>
      </MailLayout>
    ),
  };
}

function buildNewOrderMail(
  { origin, product }: Sender,
  { id, email }: MailRecipient,
  bought: Bought,
): NewMail {
  return {
    cause: `new-order:${bought.orderId}:${id}`,
    to: email,
    subject: `New order: ${bought.service}, ${bought.price}`,
    body: (
      <MailLayout
        product={product}
        title="New review order"
        preview={`${bought.service}, ${bought.price}`}
        choicesAt={`${origin}/profile/mails`}
      >
        <MailText>{formatPurchase(bought)}</MailText>
        <MailAction href={`${origin}/admin/reviews`}>Assign the review</MailAction>
      </MailLayout>
    ),
  };
}

/** The most purchases that one digest lists. */
const maxListed = 30;

/**
 * Queues one email to a god admin that lists the purchases between two moments, unless there were none.
 *
 * @param cause contains the admin's id and the morning, so that the email is sent once
 */
export async function notifyOfGatheredPurchasesLater(
  tx: Database,
  { origin, product }: Sender,
  { email }: MailRecipient,
  { cause, since, until }: { cause: string; since: Date; until: Date },
): Promise<void> {
  const isBetween = and(gt(serviceReviews.createdAt, since), lte(serviceReviews.createdAt, until));
  const rows = await listPurchases(tx, isBetween);
  if (rows.length === 0) return;
  const title = rows.length === 1 ? "New review order" : `${rows.length} new review orders`;
  await queueMail(tx, {
    cause,
    to: email,
    subject: title,
    body: (
      <MailLayout
        product={product}
        title={title}
        preview={`Since ${formatShortDateTime(since)}.`}
        choicesAt={`${origin}/profile/mails`}
      >
        {rows.slice(0, maxListed).map((row) => (
          <MailText key={row.orderId}>{formatPurchase(toPurchaseFacts(row))}</MailText>
        ))}
        {rows.length > maxListed && <MailText>And {rows.length - maxListed} more.</MailText>}
        <MailAction href={`${origin}/admin/reviews`}>Open pending reviews</MailAction>
      </MailLayout>
    ),
  });
}

function listPurchases(tx: Database, where: SQL | undefined) {
  return tx
    .select({
      orderId: orders.orderId,
      buyer: users.email,
      serviceType: serviceReviews.serviceType,
      secondLookOf: serviceReviews.secondLookOf,
      amountPaise: orders.amountPaise,
      createdAt: serviceReviews.createdAt,
      dueAt: serviceReviews.dueAt,
      resumeFilePath: serviceReviews.resumeFilePath,
      portfolioFilePath: serviceReviews.portfolioFilePath,
      portfolioUrl: serviceReviews.portfolioUrl,
    })
    .from(serviceReviews)
    .innerJoin(orders, eq(orders.orderId, serviceReviews.orderId))
    .innerJoin(users, eq(users.id, serviceReviews.userId))
    .where(where)
    .orderBy(serviceReviews.createdAt, serviceReviews.id);
}

type BoughtRow = Awaited<ReturnType<typeof listPurchases>>[number];

type Bought = ReturnType<typeof toPurchaseFacts>;
type Sent = { reviewId: string; materials: string };

function toPurchaseFacts(bought: BoughtRow) {
  const { orderId, buyer, amountPaise, createdAt, dueAt } = bought;
  const service = getBoughtService(bought);
  const promised = dueAt ?? new Date(createdAt.getTime() + service.turnaroundHours * hour);
  return {
    orderId,
    buyer,
    service: service.shortLabel,
    price: formatRupees(amountPaise ?? 0),
    paidAt: formatShortDateTime(createdAt),
    dueAt: formatShortDateTime(promised),
    promise: { status: "pending", createdAt, dueAt: promised, extendedTo: null },
  };
}

/** Formats the materials of a review as "resume.pdf, https://asha.example". */
async function describeMaterials(
  tx: Database,
  { resumeFilePath, portfolioFilePath, portfolioUrl }: BoughtRow,
): Promise<string> {
  const isFile = (bucket: "resumes" | "portfolios", path: string | null) =>
    path === null ? undefined : and(eq(storedFiles.bucket, bucket), eq(storedFiles.path, path));
  const where = or(isFile("resumes", resumeFilePath), isFile("portfolios", portfolioFilePath));
  const files = where
    ? await tx
        .select({ name: storedFiles.originalName })
        .from(storedFiles)
        .where(where)
        .orderBy(storedFiles.bucket)
    : [];
  return [...files.map(({ name }) => name), portfolioUrl].filter(Boolean).join(", ");
}

function formatPurchase({ orderId, buyer, service, price, paidAt, dueAt }: Bought): string {
  return `${service}, ${price}, bought by ${buyer} on ${paidAt}. Transaction ID: ${orderId}. Due: ${dueAt}.`;
}

type PaidTwice = { buyerId: string; service: Service; orderId: string; earlier: string };

/** Queues the email to a buyer whose second payment for the same materials succeeded too. */
export function notifyOfSecondPaymentLater(tx: Database, sender: Sender, paid: PaidTwice) {
  const { service, orderId, earlier } = paid;
  return queuePaidTwiceMail(tx, sender, paid, {
    title: "Two payments for the same materials",
    preview: "Each payment bought a review.",
    text: (
      <>
        <MailText>
          We received two payments for your {service.shortLabel}: {earlier} and {orderId}. Each one
          bought a review of the same materials. Both reviews are on your profile.
        </MailText>
        <MailText>
          If you wanted only one, reply to this email right away and quote transaction ID {orderId}.
          An order can be cancelled only right after it was placed.
        </MailText>
        <MailAction href={`${sender.origin}/profile`}>Open my profile</MailAction>
      </>
    ),
  });
}

/** Queues the email to a buyer whose second payment for one second look succeeded, and bought nothing. */
export function notifyOfSecondLookPaidTwiceLater(tx: Database, sender: Sender, paid: PaidTwice) {
  const { service, orderId, earlier } = paid;
  return queuePaidTwiceMail(tx, sender, paid, {
    title: "Two payments for the same second look",
    preview: "We refund the second payment.",
    text: (
      <>
        <MailText>
          We received two payments for your {service.shortLabel}: {earlier} and {orderId}. The first
          one bought it, with the files you sent for that payment.
        </MailText>
        <MailText>
          The second one bought nothing. We refund {orderId} to the account or card you paid with,
          and email you when we do. You don&apos;t need to do anything.
        </MailText>
        <MailAction href={`${sender.origin}/profile/payments`}>Open my payments</MailAction>
      </>
    ),
  });
}

async function queuePaidTwiceMail(
  tx: Database,
  { product }: Sender,
  { buyerId, service, orderId }: PaidTwice,
  { text, ...head }: { title: string; preview: string; text: ReactNode },
): Promise<void> {
  const [buyer] = await tx.select({ email: users.email }).from(users).where(eq(users.id, buyerId));
  if (!buyer) return;
  await queueMail(tx, {
    cause: `second-payment:${orderId}`,
    to: buyer.email,
    replyTo: product.supportEmail,
    subject: `You paid twice for your ${service.shortLabel}`,
    body: (
      <MailLayout product={product} {...head}>
        {text}
      </MailLayout>
    ),
  });
}
