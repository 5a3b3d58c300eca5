import { randomUUID } from "node:crypto";
import { eq, inArray } from "drizzle-orm";
import { users } from "../accounts/tables.server.ts";
import { MailAction, MailLayout, MailText } from "../mail/mail-layout.tsx";
import { queueMail } from "../mail/mails.server.ts";
import { shortDate } from "../platform/clock.ts";
import type { Config } from "../platform/config.server.ts";
import type { Database } from "../platform/database.server.ts";
import { priorityBadge, services, type ServiceType } from "./rules.ts";

/** What links and greetings in mails are made of. */
export type Sender = Pick<Config, "origin" | "product">;

type Review = {
  id: string;
  userId: string;
  serviceType: ServiceType;
  priority: number;
  createdAt: Date;
};

/** Mails a buyer whose second payment for the same materials went through as well. */
export async function notifyOfSecondPaymentLater(
  tx: Database,
  { origin, product }: Sender,
  {
    buyerId,
    serviceType,
    orderId,
    earlier,
  }: { buyerId: string; serviceType: ServiceType; orderId: string; earlier: string },
): Promise<void> {
  const [buyer] = await tx.select({ email: users.email }).from(users).where(eq(users.id, buyerId));
  if (!buyer) return;
  const service = services[serviceType].shortLabel;
  await queueMail(tx, {
    cause: `second-payment:${orderId}`,
    to: buyer.email,
    replyTo: product.supportEmail,
    subject: `You have paid twice for your ${service}`,
    body: (
      <MailLayout
        product={product}
        title="Two payments for the same materials"
        preview="Each of them bought a review."
      >
        <MailText>
          Two payments for your {service} went through, {earlier} and {orderId}. Each of them bought
          a review of the same materials, and both reviews are on your profile.
        </MailText>
        <MailText>
          If you wanted only one, answer this mail right away and name the transaction {orderId}: an
          order can be cancelled only right after it was placed.
        </MailText>
        <MailAction href={`${origin}/profile`}>Open my profile</MailAction>
      </MailLayout>
    ),
  });
}

/** Mails support about a paid order whose buyer's account was deleted before it was settled. */
export async function reportPaidWithoutAccountLater(
  tx: Database,
  { product }: Sender,
  orderId: string,
): Promise<void> {
  await queueMail(tx, {
    cause: `paid-without-account:${orderId}`,
    to: product.supportEmail,
    subject: `Order ${orderId} was paid by an account that is gone`,
    body: (
      <MailLayout
        product={product}
        title="A payment of a deleted account"
        preview={`Order ${orderId} is paid, and nobody is left to get the review.`}
      >
        <MailText>
          The payment of order {orderId} succeeded after its buyer&apos;s account was deleted, so no
          review was made.
        </MailText>
        <MailText>Give it back in the provider&apos;s dashboard.</MailText>
      </MailLayout>
    ),
  });
}

/** One mail to a reviewer for all reviews of one command, each with its own link. */
export async function notifyReviewerLater(
  tx: Database,
  { origin, product }: Sender,
  reviewer: { email: string },
  reviews: Review[],
): Promise<void> {
  await queueMail(tx, {
    cause: `reviews-assigned:${randomUUID()}`,
    to: reviewer.email,
    subject: `${reviewsAre(reviews)} waiting for you at ${product.name}`,
    body: (
      <MailLayout
        product={product}
        title={`${reviewsAre(reviews)} waiting for you`}
        preview="They are on your dashboard now."
      >
        <MailText>You have been assigned:</MailText>
        {reviews.map((review) => (
          <MailText key={review.id}>
            <a href={`${origin}/reviewer/submission/${review.id}`}>{serviceOf(review)}</a>
            {submittedOn(review)}
            {priorityBadge(review.priority) &&
              `, priority ${priorityBadge(review.priority)?.label}`}
          </MailText>
        ))}
        <MailAction href={`${origin}/reviewer`}>Open my dashboard</MailAction>
      </MailLayout>
    ),
  });
}

/** One mail to each reviewer who had some of the reviews that an admin took back in one command. */
export async function notifyFormerReviewersLater(
  tx: Database,
  { origin, product }: Sender,
  assignments: { reviewerId: string; reviewerEmail: string; review: Review }[],
): Promise<void> {
  const command = randomUUID();
  for (const [reviewerId, own] of Map.groupBy(assignments, (one) => one.reviewerId)) {
    await queueMail(tx, {
      cause: `reviews-taken-back:${command}:${reviewerId}`,
      to: own[0]!.reviewerEmail,
      subject: `${reviewsAre(own)} no longer yours at ${product.name}`,
      body: (
        <MailLayout
          product={product}
          title={`${reviewsAre(own)} no longer yours`}
          preview="They have left your dashboard."
        >
          <MailText>You need not do anything more for:</MailText>
          {own.map(({ review }) => (
            <MailText key={review.id}>{`${serviceOf(review)}${submittedOn(review)}`}</MailText>
          ))}
          <MailText>Feedback that you had begun to write for them was not kept.</MailText>
          <MailAction href={`${origin}/reviewer`}>Open my dashboard</MailAction>
        </MailLayout>
      ),
    });
  }
}

/** "A review is", "3 reviews are" */
function reviewsAre({ length }: readonly unknown[]): string {
  return length === 1 ? "A review is" : `${length} reviews are`;
}

function serviceOf({ serviceType }: Review): string {
  return services[serviceType].label;
}

function submittedOn({ createdAt }: Review): string {
  return `, submitted ${shortDate(createdAt)}`;
}

/** The cause names the review alone, so that a customer hears of its first assignment only. */
export async function notifyCustomersOfAssignmentLater(
  tx: Database,
  { origin, product }: Sender,
  reviews: Review[],
): Promise<void> {
  const buyerIds = reviews.map(({ userId }) => userId);
  const buyers = await tx
    .select({ id: users.id, email: users.email })
    .from(users)
    .where(inArray(users.id, buyerIds));
  const addresses = new Map(buyers.map(({ id, email }) => [id, email]));
  for (const { id, userId, serviceType } of reviews) {
    const service = services[serviceType].shortLabel;
    await queueMail(tx, {
      cause: `review-assigned:${id}`,
      to: addresses.get(userId)!,
      subject: `Your ${service} is now with a reviewer`,
      body: (
        <MailLayout
          product={product}
          title={`Your ${service} is with a reviewer`}
          preview="We will write again when it is ready."
        >
          <MailText>
            A reviewer has your submission now. You need not do anything: we will write again when
            it is ready.
          </MailText>
          <MailAction href={`${origin}/service-review/${id}`}>See my review</MailAction>
        </MailLayout>
      ),
    });
  }
}

/** Once a review; the feedback itself stays where only its owner reads it. */
export async function notifyCustomerOfCompletionLater(
  tx: Database,
  { origin, product }: Sender,
  { id, userId, serviceType }: Review,
): Promise<void> {
  const [buyer] = await tx.select({ email: users.email }).from(users).where(eq(users.id, userId));
  const service = services[serviceType].shortLabel;
  await queueMail(tx, {
    cause: `review-completed:${id}`,
    to: buyer!.email,
    subject: `Your ${service} is ready`,
    body: (
      <MailLayout
        product={product}
        title={`Your ${service} is ready`}
        preview="The feedback is there to read."
      >
        <MailText>
          Your reviewer has finished. The feedback, with any screenshots and files, is waiting for
          you.
        </MailText>
        <MailAction href={`${origin}/service-review/${id}`}>Read the feedback</MailAction>
      </MailLayout>
    ),
  });
}
