import { eq } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import type { Sender } from "../../mail/deliver-mail.server.ts";
import { recordAuditEvents } from "../../platform/audit.server.ts";
import { now } from "../../platform/clock.ts";
import type { Database } from "../../platform/database.server.ts";
import { Conflict, Invalid } from "../../platform/errors.ts";
import { cleanText } from "../../platform/text/text.ts";
import {
  extensionLimits,
  extensionMessages,
  getEffectiveDueAt,
} from "../../reviews/due-dates/due-dates.ts";
import { notifyCustomerOfExtensionLater } from "../../reviews/emails/customer-emails.server.tsx";
import { lockReview } from "../../reviews/locks.server.ts";
import { messages } from "../../reviews/staff-rules.ts";
import { serviceReviews } from "../../reviews/tables.server.ts";

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
