import { cleanText } from "../../platform/text/text.ts";
import { eq } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import { users } from "../../accounts/tables.server.ts";
import { MailAction, MailLayout, MailStations, MailText } from "../../mail/mail-layout.tsx";
import { queueMail } from "../../mail/deliver-mail.server.ts";
import { recordAuditEvents } from "../../platform/audit.server.ts";
import { now, formatShortDate, formatShortDateTime } from "../../platform/clock.ts";
import type { Database } from "../../platform/database.server.ts";
import { Conflict, Invalid } from "../../platform/errors.ts";
import type { Sender } from "../emails.server.tsx";
import { lockReview } from "../locks.server.ts";
import { services } from "../rules.ts";
import { messages } from "../staff-rules.ts";
import { serviceReviews } from "../tables.server.ts";
import { extensionLimits, extensionMessages, getEffectiveDueAt } from "./due-dates.ts";
import { listMailStations } from "./stations.ts";

/**
 * Sets a later due date for an open review, and emails its customer the reason. The first date stays, since
 * refunds and figures depend on it.
 *
 * @param extension.until the new date, within 14 days; null for an invalid one
 * @param extension.seen the date that the admin saw, as in `DueView.at`
 * @throws {Invalid} for a date that is missing, not later or too late, and for a missing or too long reason.
 * @throws {NotFound} for a review that does not exist.
 * @throws {Conflict} for a completed, refunded or dateless review, or when the date was changed meanwhile.
 */
export async function extendDueDate(
  db: Database,
  actor: Actor | null,
  extension: { reviewId: string; until: Date | null; reason: string; seen: string },
  sender: Sender,
): Promise<void> {
  authorize(actor, "review.extend");
  const { reviewId, until, seen } = extension;
  const reason = cleanText(extension.reason).trim();
  if (!until) throw new Invalid({ until: extensionMessages.noMoment });
  if (reason === "") throw new Invalid({ reason: extensionMessages.noReason });
  if (reason.length > extensionLimits.reason)
    throw new Invalid({ reason: extensionMessages.reasonTooLong });

  await db.transaction(async (tx) => {
    const review = await lockReview(tx, reviewId);
    const before = getEffectiveDueAt(review);
    if (!before || review.status === "completed" || review.withdrawnAt)
      throw new Conflict(extensionMessages.none);
    if (before.toISOString() !== seen) throw new Conflict(messages.changedMeanwhile);
    const moment = now();
    if (until <= before || until <= moment)
      throw new Invalid({ until: extensionMessages.notLater });
    if (until.getTime() > moment.getTime() + extensionLimits.ahead)
      throw new Invalid({ until: extensionMessages.tooLate });
    await tx
      .update(serviceReviews)
      .set({ extendedTo: until })
      .where(eq(serviceReviews.id, reviewId));
    await recordAuditEvents(tx, [
      {
        actor,
        event: "review.extend",
        subject: { type: "review", id: reviewId },
        before: { dueAt: before.toISOString() },
        after: { dueAt: until.toISOString(), reason },
      },
    ]);
    await notifyCustomerOfExtensionLater(tx, sender, review, { before, until, reason });
  });
}

/** Queues the customer's email. Its cause includes the new date, since a review can be extended again. */
async function notifyCustomerOfExtensionLater(
  tx: Database,
  { origin, product }: Sender,
  review: typeof serviceReviews.$inferSelect,
  { before, until, reason }: { before: Date; until: Date; reason: string },
): Promise<void> {
  const { id, userId, serviceType } = review;
  const [buyer] = await tx.select({ email: users.email }).from(users).where(eq(users.id, userId));
  const service = services[serviceType].shortLabel;
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
