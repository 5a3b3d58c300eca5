/** The emails to customers about their reviews. */
import { eq } from "drizzle-orm";
import { listInstantMailAddresses } from "../../accounts/mail-choices/mail-choices.server.ts";
import { users } from "../../accounts/tables.server.ts";
import { MailAction, MailLayout, MailStations, MailText } from "../../mail/mail-layout.tsx";
import { type NewMail, queueMail, type Sender } from "../../mail/deliver-mail.server.ts";
import { formatShortDate, formatShortDateTime, now } from "../../platform/clock.ts";
import type { Config } from "../../platform/config.server.ts";
import { countNoun } from "../../platform/count-noun.ts";
import type { Database } from "../../platform/database.server.ts";
import { getAskableUntil } from "../question-window.ts";
import type { ServiceType } from "../rules.ts";
import { formatSecondLookOffer, getBoughtService } from "../second-looks.ts";
import { listMailStations } from "../due-dates/stations.ts";

type Review = {
  id: string;
  userId: string;
  serviceType: ServiceType;
  secondLookOf: string | null;
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
  const { id } = review;
  const service = getBoughtService(review).shortLabel;
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

/** The email about a completed review offers a second look. */
export type CompletionSender = Sender & Pick<Config, "secondLooks">;

/** The numbers of remarks and scores in a review. */
type ReviewCounts = { remarks: number; scores: number };

/** Queues one email per review. It does not include the feedback, which only its owner can read. */
export async function notifyCustomerOfCompletionLater(
  tx: Database,
  sender: CompletionSender,
  review: Review,
  counts: ReviewCounts,
): Promise<void> {
  const to = (await listInstantMailAddresses(tx, "review-ready", [review.userId])).get(
    review.userId,
  );
  if (to) await queueMail(tx, buildCompletionMail(sender, to, { ...review, ...counts }, now()));
}

/** Builds the email about a completed review. @param to the customer's address */
export function buildCompletionMail(
  { origin, product, secondLooks }: CompletionSender,
  to: string,
  review: Review & ReviewCounts,
  completedAt: Date,
): NewMail {
  const { id } = review;
  const service = getBoughtService(review).shortLabel;
  const offer = formatSecondLookOffer(secondLooks, review, completedAt);
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
        <MailText>Your review is ready: {formatContents(review)}.</MailText>
        <MailStations {...listMailStations({ ...review, status: "completed" }, completedAt)} />
        <MailText>
          Until {formatShortDateTime(getAskableUntil(completedAt))} (Indian time), you can ask your
          reviewer one question about it.
        </MailText>
        <MailAction href={`${origin}/service-review/${id}`}>Read the feedback</MailAction>
        {offer && <MailText>{offer}</MailText>}
      </MailLayout>
    ),
  };
}

/** "26 remarks, 12 scores and a summary", without what the review doesn't have */
function formatContents({ remarks, scores }: ReviewCounts): string {
  const contents = [
    ...(remarks > 0 ? [countNoun(remarks, "remark")] : []),
    ...(scores > 0 ? [countNoun(scores, "score")] : []),
    "a summary",
  ];
  return new Intl.ListFormat("en-IN").format(contents);
}

/** Queues the email about a later due date. Its cause includes the new date, since a review can be extended again. */
export async function notifyCustomerOfExtensionLater(
  tx: Database,
  { origin, product }: Sender,
  review: Review & { status: string },
  { before, until, reason }: { before: Date; until: Date; reason: string },
): Promise<void> {
  const { id, userId } = review;
  const [buyer] = await tx.select({ email: users.email }).from(users).where(eq(users.id, userId));
  const service = getBoughtService(review).shortLabel;
  await queueMail(tx, {
    cause: `review-extended:${id}:${until.toISOString()}`,
    to: buyer!.email,
    replyTo: product.supportEmail,
    subject: `Your ${service} is delayed until ${formatShortDate(until)}`,
    body: (
      <MailLayout
        product={product}
        title={`Your ${service} is delayed`}
        preview={`It is now due ${formatShortDateTime(until)}.`}
      >
        <MailText>
          We need more time for your {service}. It is now due <b>{formatShortDateTime(until)}</b>{" "}
          (Indian time) instead of {formatShortDateTime(before)}.
        </MailText>
        <MailStations {...listMailStations({ ...review, extendedTo: until }, now())} />
        <MailText>Reason: {reason}</MailText>
        <MailText>We're sorry. Your refund rights still follow the original date.</MailText>
        <MailAction href={`${origin}/service-review/${id}`}>See my review</MailAction>
      </MailLayout>
    ),
  });
}

/** Queues the email to a customer whose review is late. It is about money, so they cannot turn it off. */
export async function notifyCustomerOfDelayLater(
  tx: Database,
  { origin, product }: Sender,
  {
    cause,
    to,
    review,
  }: {
    cause: string;
    to: string;
    review: Pick<Review, "serviceType" | "secondLookOf"> & {
      boughtAt: Date;
      dueAt: Date;
      assignmentId: string | null;
    };
  },
): Promise<void> {
  const { boughtAt, dueAt, assignmentId } = review;
  const service = getBoughtService(review).shortLabel;
  const status = assignmentId === null ? "pending" : "under_review";
  const promise = { status, createdAt: boughtAt, dueAt, extendedTo: null };
  await queueMail(tx, {
    cause,
    to,
    replyTo: product.supportEmail,
    subject: `Your ${service} is late`,
    body: (
      <MailLayout
        product={product}
        title={`Your ${service} is late`}
        preview="You can wait, or get a full refund."
      >
        <MailText>
          We promised it by {formatShortDateTime(dueAt)}, and it isn&apos;t ready. That&apos;s our
          fault, and we&apos;re sorry. We&apos;ve alerted our team.
        </MailText>
        <MailStations {...listMailStations(promise, now())} isLate />
        <MailText>
          You don&apos;t need to do anything if you&apos;d like to wait. If not, go to Payments and
          choose a full refund. No approval needed.
        </MailText>
        <MailAction href={`${origin}/profile/payments`}>Go to Payments</MailAction>
      </MailLayout>
    ),
  });
}
