import { MailAction, MailLayout, MailText } from "../../mail/mail-layout.tsx";
import { queueMail, type Sender } from "../../mail/deliver-mail.server.ts";
import { now, formatShortDateTime } from "../../platform/clock.ts";
import type { Database } from "../../platform/database.server.ts";
import type { ServiceType } from "../../reviews/rules.ts";
import { getBoughtService } from "../../reviews/second-looks.ts";

type Reminder = {
  cause: string;
  to: string;
  review: {
    serviceType: ServiceType;
    secondLookOf: string | null;
    buyer: string;
    boughtAt: Date;
    dueAt: Date;
    /** Null while the review is unassigned, as is the name. */
    assignmentId: string | null;
    reviewerName: string | null;
  };
};

/** Queues the email to a god admin about a review that is unassigned halfway to its deadline, or overdue. */
export async function remindAdminLater(
  tx: Database,
  { origin, product }: Sender,
  { cause, to, review }: Reminder,
): Promise<void> {
  const { dueAt, boughtAt, buyer, assignmentId, reviewerName } = review;
  const isLate = dueAt <= now();
  const service = getBoughtService(review).shortLabel;
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
