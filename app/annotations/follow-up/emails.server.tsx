/** The emails about the question after a review. They contain neither the question nor its answer. */
import { randomUUID } from "node:crypto";
import { listInstantMailAddresses } from "../../accounts/mail-choices/mail-choices.server.ts";
import { MailAction, MailLayout, MailText } from "../../mail/mail-layout.tsx";
import { type NewMail, queueMail, type Sender } from "../../mail/deliver-mail.server.ts";
import { formatShortDateTime } from "../../platform/clock.ts";
import type { Database } from "../../platform/database.server.ts";
import { services, type ServiceType } from "../../reviews/rules.ts";

type Review = { id: string; userId: string; serviceType: ServiceType };

/** Queues the email to the reviewer who answers a question. */
export async function notifyReviewerOfQuestionLater(
  tx: Database,
  sender: Sender,
  reviewerId: string | null,
  question: Review & { dueAt: Date },
): Promise<void> {
  if (!reviewerId) return;
  const to = (await listInstantMailAddresses(tx, "work-changed", [reviewerId])).get(reviewerId);
  if (to) await queueMail(tx, buildFollowUpMail(sender, to, question));
}

/** Builds the email about a question to answer. @param to the reviewer's address */
function buildFollowUpMail(
  { origin, product }: Sender,
  to: string,
  { id, serviceType, dueAt }: Review & { dueAt: Date },
): NewMail {
  const service = services[serviceType].shortLabel;
  return {
    cause: `question-asked:${id}:${randomUUID()}`,
    to,
    subject: `A customer has a question about a ${service}`,
    body: (
      <MailLayout
        product={product}
        title={`A question about a ${service}`}
        preview={`Please answer by ${formatShortDateTime(dueAt)}.`}
        choicesAt={`${origin}/profile/mails`}
      >
        <MailText>
          A customer asks one question about a completed review. Please answer by{" "}
          <b>{formatShortDateTime(dueAt)}</b> (Indian time). You answer once, and the answer is
          saved while you write.
        </MailText>
        <MailAction href={`${origin}/reviewer/questions/${id}`}>Answer the question</MailAction>
      </MailLayout>
    ),
  };
}

/** Queues the email to a reviewer whose question an admin gave to another one. */
export async function notifyReviewerOfMovedQuestionLater(
  tx: Database,
  { origin, product }: Sender,
  reviewerId: string | null,
  { cause, serviceType }: { cause: string; serviceType: ServiceType },
): Promise<void> {
  if (!reviewerId) return;
  const to = (await listInstantMailAddresses(tx, "work-changed", [reviewerId])).get(reviewerId);
  if (!to) return;
  const service = services[serviceType].shortLabel;
  await queueMail(tx, {
    cause,
    to,
    subject: `A question about a ${service} is no longer yours`,
    body: (
      <MailLayout
        product={product}
        title="A question is no longer yours"
        preview="Another reviewer answers it."
        choicesAt={`${origin}/profile/mails`}
      >
        <MailText>
          Another reviewer now answers a customer&apos;s question about a {service}. They can use
          what you had saved as its answer.
        </MailText>
        <MailAction href={`${origin}/reviewer`}>Open my dashboard</MailAction>
      </MailLayout>
    ),
  });
}

/** Queues the email to the customer whose question was answered. */
export async function notifyCustomerOfAnswerLater(
  tx: Database,
  sender: Sender,
  review: Review,
): Promise<void> {
  const addresses = await listInstantMailAddresses(tx, "review-ready", [review.userId]);
  const to = addresses.get(review.userId);
  if (to) await queueMail(tx, buildAnswerMail(sender, to, review));
}

/** Builds the email about an answered question. @param to the customer's address */
function buildAnswerMail(
  { origin, product }: Sender,
  to: string,
  { id, serviceType }: Review,
): NewMail {
  const service = services[serviceType].shortLabel;
  return {
    cause: `question-answered:${id}`,
    to,
    subject: `Your question about your ${service} is answered`,
    body: (
      <MailLayout
        product={product}
        title="Your question is answered"
        preview="You can read the answer beside your review."
        choicesAt={`${origin}/profile/mails`}
      >
        <MailText>Your reviewer has answered your question about your {service}.</MailText>
        <MailAction href={`${origin}/service-review/${id}/question`}>Read the answer</MailAction>
      </MailLayout>
    ),
  };
}
