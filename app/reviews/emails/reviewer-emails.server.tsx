/** The emails to reviewers about reviews. */
import { randomUUID } from "node:crypto";
import { listInstantMailAddresses } from "../../accounts/mail-choices/mail-choices.server.ts";
import { MailAction, MailLayout, MailText } from "../../mail/mail-layout.tsx";
import { type NewMail, queueMail, type Sender } from "../../mail/deliver-mail.server.ts";
import { formatShortDate, formatShortDateTime, now } from "../../platform/clock.ts";
import type { Database } from "../../platform/database.server.ts";
import { toPriorityBadge, type ServiceType } from "../rules.ts";
import { getBoughtService } from "../second-looks.ts";

type Review = {
  id: string;
  userId: string;
  serviceType: ServiceType;
  secondLookOf: string | null;
  priority: number;
  createdAt: Date;
};

/** Queues one email to a reviewer for all reviews of a command, each with its own link. */
export async function notifyReviewerLater(
  tx: Database,
  sender: Sender,
  reviewer: { id: string },
  reviews: Review[],
): Promise<void> {
  const to = (await listInstantMailAddresses(tx, "work-changed", [reviewer.id])).get(reviewer.id);
  if (to) await queueMail(tx, buildAssignedReviewsMail(sender, to, reviews));
}

/** Builds the email about newly assigned reviews. @param to the reviewer's address */
export function buildAssignedReviewsMail(
  { origin, product }: Sender,
  to: string,
  reviews: Review[],
): NewMail {
  return {
    cause: `reviews-assigned:${randomUUID()}`,
    to,
    subject: `${formatReviewsAre(reviews)} waiting for you at ${product.name}`,
    body: (
      <MailLayout
        product={product}
        title={`${formatReviewsAre(reviews)} waiting for you`}
        preview="Open your dashboard to start."
        choicesAt={`${origin}/profile/mails`}
      >
        <MailText>You've been assigned:</MailText>
        {reviews.map((review) => (
          <MailText key={review.id}>
            <a href={`${origin}/reviewer/submission/${review.id}`}>{formatService(review)}</a>
            {formatSubmissionDate(review)}
            {toPriorityBadge(review.priority) &&
              `, priority ${toPriorityBadge(review.priority)?.label}`}
          </MailText>
        ))}
        <MailAction href={`${origin}/reviewer`}>Open my dashboard</MailAction>
      </MailLayout>
    ),
  };
}

/** Queues one email to each reviewer who lost reviews in a command. */
export async function notifyFormerReviewersLater(
  tx: Database,
  { origin, product }: Sender,
  assignments: { reviewerId: string; review: Review }[],
): Promise<void> {
  const command = randomUUID();
  const byReviewer = Map.groupBy(assignments, (one) => one.reviewerId);
  const addresses = await listInstantMailAddresses(tx, "work-changed", [...byReviewer.keys()]);
  for (const [reviewerId, to] of addresses) {
    const own = byReviewer.get(reviewerId)!;
    await queueMail(tx, {
      cause: `reviews-taken-back:${command}:${reviewerId}`,
      to,
      subject: `${formatReviewsAre(own)} no longer yours at ${product.name}`,
      body: (
        <MailLayout
          product={product}
          title={`${formatReviewsAre(own)} no longer yours`}
          preview="You don't need to do anything else."
          choicesAt={`${origin}/profile/mails`}
        >
          <MailText>You no longer need to work on:</MailText>
          {own.map(({ review }) => (
            <MailText
              key={review.id}
            >{`${formatService(review)}${formatSubmissionDate(review)}`}</MailText>
          ))}
          <MailText>Your draft feedback for these reviews was discarded.</MailText>
          <MailAction href={`${origin}/reviewer`}>Open my dashboard</MailAction>
        </MailLayout>
      ),
    });
  }
}

/** Queues the email to a reviewer about a review that is due soon (75% of its time has passed) or overdue. */
export async function remindReviewerLater(
  tx: Database,
  { origin, product }: Sender,
  {
    cause,
    to,
    review,
  }: {
    cause: string;
    to: string;
    review: Pick<Review, "id" | "serviceType" | "secondLookOf"> & { dueAt: Date };
  },
): Promise<void> {
  const { id, dueAt } = review;
  const service = getBoughtService(review).shortLabel;
  const isLate = dueAt <= now();
  await queueMail(tx, {
    cause,
    to,
    subject: `A ${service} assigned to you ${isLate ? "is overdue" : "is due soon"}`,
    body: (
      <MailLayout
        product={product}
        title={`A ${service} ${isLate ? "is overdue" : "is due soon"}`}
        preview={`Due: ${formatShortDateTime(dueAt)}.`}
        choicesAt={`${origin}/profile/mails`}
      >
        <MailText>
          It {isLate ? "was" : "is"} due on {formatShortDateTime(dueAt)}. If you can&apos;t finish
          it {isLate ? "today" : "in time"}, hand it back on its page. We&apos;ll find another
          reviewer.
        </MailText>
        <MailAction href={`${origin}/reviewer/submission/${id}`}>Open the review</MailAction>
      </MailLayout>
    ),
    replyTo: product.supportEmail,
  });
}

/** Formats the start of a sentence: "A review is", "3 reviews are". */
function formatReviewsAre({ length }: readonly unknown[]): string {
  return length === 1 ? "A review is" : `${length} reviews are`;
}

function formatService(review: Review): string {
  return getBoughtService(review).label;
}

function formatSubmissionDate({ createdAt }: Review): string {
  return `, submitted ${formatShortDate(createdAt)}`;
}
