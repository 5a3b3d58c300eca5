import { MailAction, MailLayout, MailStations, MailText } from "../../mail/mail-layout.tsx";
import { queueMail } from "../../mail/deliver-mail.server.ts";
import { now, formatShortDateTime } from "../../platform/clock.ts";
import type { Database } from "../../platform/database.server.ts";
import { listMailStations } from "../../reviews/due-dates/stations.ts";
import type { Sender } from "../../reviews/emails.server.tsx";
import { services, type ServiceType } from "../../reviews/rules.ts";

type Reminder = {
  cause: string;
  to: string;
  review: {
    id: string;
    serviceType: ServiceType;
    buyer: string;
    boughtAt: Date;
    dueAt: Date;
    /** Null while the review is unassigned, as is the name. */
    assignmentId: string | null;
    reviewerName: string | null;
  };
};

/** Queues the email to a customer whose review is late. It is about money, so they cannot turn it off. */
export async function notifyCustomerOfDelayLater(
  tx: Database,
  { origin, product }: Sender,
  { cause, to, review: { serviceType, boughtAt, dueAt, assignmentId } }: Reminder,
): Promise<void> {
  const service = services[serviceType].shortLabel;
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

/** Queues the email to a god admin about a review that is unassigned halfway to its deadline, or overdue. */
export async function remindAdminLater(
  tx: Database,
  { origin, product }: Sender,
  { cause, to, review }: Reminder,
): Promise<void> {
  const { serviceType, dueAt, boughtAt, buyer, assignmentId, reviewerName } = review;
  const isLate = dueAt <= now();
  const service = services[serviceType].shortLabel;
  const title = isLate ? `A ${service} is overdue` : `A ${service} is still unassigned`;
  const list = assignmentId === null ? "/admin/reviews" : "/admin/reviews/assigned";
  const assignee = assignmentId === null ? "Not assigned yet" : `Assigned to ${reviewerName}`;
  await queueMail(tx, {
    cause,
    to,
    subject: title,
    body: (
      <MailLayout
        product={product}
        title={title}
        preview={`Due: ${formatShortDateTime(dueAt)}.`}
        choicesAt={`${origin}/profile/mails`}
      >
        <MailText>
          {buyer} bought it on {formatShortDateTime(boughtAt)}. Due: {formatShortDateTime(dueAt)}.{" "}
          {assignee}.
        </MailText>
        <MailText>
          {isLate
            ? "We've told the customer, who can now get a full refund."
            : "Half of its turnaround time has passed."}
        </MailText>
        <MailAction href={`${origin}${list}`}>
          {assignmentId === null ? "Assign the review" : "Open assigned reviews"}
        </MailAction>
      </MailLayout>
    ),
  });
}

/** Queues the email to a reviewer about a review that is due soon (75% of its time has passed) or overdue. */
export async function remindReviewerLater(
  tx: Database,
  { origin, product }: Sender,
  { cause, to, review: { id, serviceType, dueAt } }: Reminder,
): Promise<void> {
  const service = services[serviceType].shortLabel;
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
          it {isLate ? "today" : "in time"}, reply to this email and we&apos;ll reassign it.
        </MailText>
        <MailAction href={`${origin}/reviewer/submission/${id}`}>Open the review</MailAction>
      </MailLayout>
    ),
    replyTo: product.supportEmail,
  });
}
