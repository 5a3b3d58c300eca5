import { MailAction, MailLayout, MailText } from "../../mail/mail-layout.tsx";
import { queueMail } from "../../mail/deliver-mail.server.ts";
import { now, formatShortDateTime } from "../../platform/clock.ts";
import type { Database } from "../../platform/database.server.ts";
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
    /** Both are null while the review is unassigned. */
    assignmentId: string | null;
    reviewerName: string | null;
  };
};

/** Tells a customer that their review is late, and what they can do. It is about money, so it always comes. */
export async function notifyCustomerOfDelayLater(
  tx: Database,
  { origin, product }: Sender,
  { cause, to, review: { serviceType, dueAt } }: Reminder,
): Promise<void> {
  const service = services[serviceType].shortLabel;
  await queueMail(tx, {
    cause,
    to,
    replyTo: product.supportEmail,
    subject: `Your ${service} is late`,
    body: (
      <MailLayout
        product={product}
        title={`Your ${service} is late`}
        preview="You can wait, or take the money back."
      >
        <MailText>
          We promised it for {formatShortDateTime(dueAt)}, and it is not ready. That is our fault,
          and we are sorry. Those who can hurry it have been told.
        </MailText>
        <MailText>
          You need do nothing to wait for it. If you do not want to wait, take back all that you
          have paid: press the button under your payments, and nobody has to agree to it.
        </MailText>
        <MailAction href={`${origin}/profile/payments`}>Open my payments</MailAction>
      </MailLayout>
    ),
  });
}

/** Queues the mail to a god admin about a review that is unassigned halfway to its deadline, or overdue. */
export async function remindAdminLater(
  tx: Database,
  { origin, product }: Sender,
  { cause, to, review }: Reminder,
): Promise<void> {
  const { serviceType, dueAt, boughtAt, buyer, assignmentId, reviewerName } = review;
  const isLate = dueAt <= now();
  const service = services[serviceType].shortLabel;
  const title = isLate ? `A ${service} is overdue` : `Nobody has a ${service} yet`;
  const list = assignmentId === null ? "/admin/reviews" : "/admin/reviews/assigned";
  const has = assignmentId === null ? "Nobody has it" : `${reviewerName} has it`;
  await queueMail(tx, {
    cause,
    to,
    subject: title,
    body: (
      <MailLayout
        product={product}
        title={title}
        preview={`Promised for ${formatShortDateTime(dueAt)}.`}
        choicesAt={`${origin}/profile/mails`}
      >
        <MailText>
          {buyer} bought it on {formatShortDateTime(boughtAt)}, and it is promised for{" "}
          {formatShortDateTime(dueAt)}. {has}.
        </MailText>
        <MailText>
          {isLate
            ? "The customer has been told, and may take the money back."
            : "Half of its time is over."}
        </MailText>
        <MailAction href={`${origin}${list}`}>
          {assignmentId === null ? "Assign it" : "Open the assigned reviews"}
        </MailAction>
      </MailLayout>
    ),
  });
}

/** Tells a reviewer that three quarters of the time for a review of theirs are over. */
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
    subject: `A ${service} of yours ${isLate ? "is overdue" : "is due soon"}`,
    body: (
      <MailLayout
        product={product}
        title={`A ${service} ${isLate ? "is overdue" : "is due soon"}`}
        preview={`Promised for ${formatShortDateTime(dueAt)}.`}
        choicesAt={`${origin}/profile/mails`}
      >
        <MailText>
          It {isLate ? "was" : "is"} promised for {formatShortDateTime(dueAt)}. If you cannot finish
          it
          {isLate ? " today" : " in time"}, answer this mail, so that somebody else can.
        </MailText>
        <MailAction href={`${origin}/reviewer/submission/${id}`}>Open the submission</MailAction>
      </MailLayout>
    ),
    replyTo: product.supportEmail,
  });
}
