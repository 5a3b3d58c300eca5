import { randomUUID } from "node:crypto";
import { eq, inArray } from "drizzle-orm";
import { users } from "../../accounts/tables.server.ts";
import { queueMail } from "../../mail/queue-mail.server.ts";
import type { Config } from "../../platform/config.server.ts";
import type { Database } from "../../platform/database.server.ts";
import { type ServiceType, services } from "../rules.ts";
import {
  ReviewCompletedMail,
  reviewsAre,
  ReviewsAssignedMail,
  ReviewsTakenBackMail,
  ReviewUnderWayMail,
} from "./emails.tsx";

/** What links and greetings in mails are made of. */
export type Sender = Pick<Config, "origin" | "product">;

type Review = {
  id: string;
  userId: string;
  serviceType: ServiceType;
  priority: number;
  createdAt: Date;
};

/** One mail for all reviews of one command. */
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
    body: <ReviewsAssignedMail product={product} origin={origin} reviews={reviews} />,
  });
}

/** One mail to each reviewer who had some of the reviews of one command. */
export async function notifyFormerReviewersLater(
  tx: Database,
  { origin, product }: Sender,
  assignments: { reviewerId: string; reviewerEmail: string; review: Review }[],
): Promise<void> {
  const command = randomUUID();
  for (const [reviewerId, own] of Map.groupBy(assignments, (one) => one.reviewerId)) {
    const reviews = own.map(({ review }) => review);
    await queueMail(tx, {
      cause: `reviews-taken-back:${command}:${reviewerId}`,
      to: own[0]!.reviewerEmail,
      subject: `${reviewsAre(reviews)} no longer yours at ${product.name}`,
      body: <ReviewsTakenBackMail product={product} origin={origin} reviews={reviews} />,
    });
  }
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
    const link = `${origin}/service-review/${id}`;
    const service = services[serviceType].shortLabel;
    await queueMail(tx, {
      cause: `review-assigned:${id}`,
      to: addresses.get(userId)!,
      subject: `Your ${service} is now with a reviewer`,
      body: <ReviewUnderWayMail product={product} link={link} service={service} />,
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
  const link = `${origin}/service-review/${id}`;
  const service = services[serviceType].shortLabel;
  await queueMail(tx, {
    cause: `review-completed:${id}`,
    to: buyer!.email,
    subject: `Your ${service} is ready`,
    body: <ReviewCompletedMail product={product} link={link} service={service} />,
  });
}
