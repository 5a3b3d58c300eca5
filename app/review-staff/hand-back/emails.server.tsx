import { listStaff } from "../../accounts/mail-choices/mail-choices.server.ts";
import { queueMail, type Sender } from "../../mail/deliver-mail.server.ts";
import { MailAction, MailLayout, MailText } from "../../mail/mail-layout.tsx";
import { formatShortDateTime } from "../../platform/clock.ts";
import type { Database } from "../../platform/database.server.ts";
import type { HandBackReason } from "../../reviews/hand-back-reasons.ts";
import { getBoughtService } from "../../reviews/second-looks.ts";
import type { serviceReviews } from "../../reviews/tables.server.ts";
import { reasonLabels } from "./rules.ts";

type Review = Pick<
  typeof serviceReviews.$inferSelect,
  "serviceType" | "secondLookOf" | "dueAt" | "extendedTo"
>;

/** Queues the email to each god admin about a review that was handed back. It is always sent. */
export async function notifyAdminsOfHandBackLater(
  tx: Database,
  { origin, product }: Sender,
  { draftId, reason, review }: { draftId: string; reason: HandBackReason; review: Review },
): Promise<void> {
  const service = getBoughtService(review).shortLabel;
  const dueAt = review.extendedTo ?? review.dueAt;
  for (const { id, email } of await listStaff(tx, "god_admin"))
    await queueMail(tx, {
      cause: `review-handed-back:${draftId}:${id}`,
      to: email,
      subject: `A ${service} was handed back`,
      body: (
        <MailLayout
          product={product}
          title={`A ${service} was handed back`}
          preview={`${reasonLabels[reason]}.`}
        >
          <MailText>{`${reasonLabels[reason]}.`}</MailText>
          <MailText>
            {dueAt
              ? `It needs another reviewer. It's still due on ${formatShortDateTime(dueAt)}.`
              : "It needs another reviewer."}
          </MailText>
          <MailAction href={`${origin}/admin/reviews/handed-back`}>
            See handed back reviews
          </MailAction>
        </MailLayout>
      ),
    });
}
