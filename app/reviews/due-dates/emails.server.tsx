/** The emails to a customer about an assigned and a completed review. */
import { listInstantMailAddresses } from "../../accounts/mail-choices/mail-choices.server.ts";
import { MailAction, MailLayout, MailStations, MailText } from "../../mail/mail-layout.tsx";
import { type NewMail, queueMail } from "../../mail/deliver-mail.server.ts";
import { now } from "../../platform/clock.ts";
import type { Database } from "../../platform/database.server.ts";
import type { Sender } from "../emails.server.tsx";
import { services, type ServiceType } from "../rules.ts";
import { listMailStations } from "./stations.ts";

type Review = {
  id: string;
  userId: string;
  serviceType: ServiceType;
  createdAt: Date;
  dueAt: Date | null;
  extendedTo: Date | null;
};

/** Queues the customers' emails. The cause is only the review, so a reassignment sends no second email. */
export async function notifyCustomersOfAssignmentLater(
  tx: Database,
  sender: Sender,
  reviews: Review[],
): Promise<void> {
  const buyerIds = reviews.map(({ userId }) => userId);
  const addresses = await listInstantMailAddresses(tx, "review-assigned", buyerIds);
  for (const review of reviews) {
    const to = addresses.get(review.userId);
    if (to) await queueMail(tx, buildAssignmentMail(sender, to, review, now()));
  }
}

/**
 * Builds the email about a customer's assigned review.
 *
 * @param to the customer's address
 * @param assignedAt also for a review that has been completed since
 */
export function buildAssignmentMail(
  { origin, product }: Sender,
  to: string,
  review: Review,
  assignedAt: Date,
): NewMail {
  const { id, serviceType } = review;
  const service = services[serviceType].shortLabel;
  return {
    cause: `review-assigned:${id}`,
    to,
    subject: `Your ${service} is now with a reviewer`,
    body: (
      <MailLayout
        product={product}
        title={`Your ${service} is with a reviewer`}
        preview="We'll email you when it's ready."
        choicesAt={`${origin}/profile/mails`}
      >
        <MailText>
          A reviewer has your submission. You don't need to do anything. We'll email you when it's
          ready.
        </MailText>
        <MailStations {...listMailStations({ ...review, status: "under_review" }, assignedAt)} />
        <MailAction href={`${origin}/service-review/${id}`}>See my review</MailAction>
      </MailLayout>
    ),
  };
}

/** Queues one email per review. It does not include the feedback, which only its owner can read. */
export async function notifyCustomerOfCompletionLater(
  tx: Database,
  sender: Sender,
  review: Review,
): Promise<void> {
  const to = (await listInstantMailAddresses(tx, "review-ready", [review.userId])).get(
    review.userId,
  );
  if (to) await queueMail(tx, buildCompletionMail(sender, to, review, now()));
}

/** Builds the email about a completed review. @param to the customer's address */
export function buildCompletionMail(
  { origin, product }: Sender,
  to: string,
  review: Review,
  completedAt: Date,
): NewMail {
  const { id, serviceType } = review;
  const service = services[serviceType].shortLabel;
  return {
    cause: `review-completed:${id}`,
    to,
    subject: `Your ${service} is ready`,
    body: (
      <MailLayout
        product={product}
        title={`Your ${service} is ready`}
        preview="Your feedback is ready to read."
        choicesAt={`${origin}/profile/mails`}
      >
        <MailText>
          Your reviewer has finished. You can now read the feedback, with any screenshots and files.
        </MailText>
        <MailStations {...listMailStations({ ...review, status: "completed" }, completedAt)} />
        <MailAction href={`${origin}/service-review/${id}`}>Read the feedback</MailAction>
      </MailLayout>
    ),
  };
}
