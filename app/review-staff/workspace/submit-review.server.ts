import { cleanText } from "../../platform/text/text.ts";
import { and, eq, isNull, ne } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import { recordAuditEvents } from "../../platform/audit.server.ts";
import { now } from "../../platform/clock.ts";
import type { Config, ReviewFees } from "../../platform/config.server.ts";
import type { Database } from "../../platform/database.server.ts";
import { Conflict, Invalid } from "../../platform/errors.ts";
import { reviewAssignments, serviceReviews } from "../../reviews/tables.server.ts";
import { countAnnotations } from "../../annotations/remarks/read-annotations.server.ts";
import { assignNumbers } from "../../annotations/remarks/remarks.server.ts";
import { requireOutcomes } from "../../annotations/second-look/outcomes.server.ts";
import { getFee } from "../earnings/fees.ts";
import { deleteDraftsOf } from "../hand-back/drafts.server.ts";
import { createDraftConflict, isDraftUnchanged } from "./own-review.server.ts";
import { feedbackLimit, messages } from "../../reviews/staff-rules.ts";
import {
  type CompletionSender,
  notifyCustomerOfCompletionLater,
} from "../../reviews/emails/customer-emails.server.tsx";
import { lockOwnOpenReview, type OwnOpenReview } from "../../reviews/locks.server.ts";

/**
 * Completes a reviewer's own open review with its feedback, exactly once, with the reviewer's fee, and notifies the customer.
 *
 * @throws {Invalid} for feedback that is empty after trimming, or too long, and for a second look without all outcomes.
 * @param form.version of the draft that the feedback was written from
 * @throws {NotFound} for a review that is not the reviewer's own.
 * @throws {Conflict} when it was submitted before, or when the draft was changed in the meantime.
 */
export async function submitReview(
  db: Database,
  actor: Actor | null,
  form: { reviewId: string; feedback: string; version: string },
  config: CompletionSender & Pick<Config, "reviewFees">,
): Promise<void> {
  authorize(actor, "review.submit");
  const { reviewId, version } = form;
  const feedback = cleanText(form.feedback);
  const written = feedback.trim();
  if (written === "") throw new Invalid({ feedback: messages.feedbackMissing });
  if (written.length > feedbackLimit) throw new Invalid({ feedback: messages.feedbackTooLong });

  await db.transaction(async (tx) => {
    const own = await lockOwnOpenReview(tx, actor.id, reviewId);
    await requireOutcomes(tx, own.review);
    await closeAssignment(tx, own, { feedback, version }, config.reviewFees);
    await completeReview(tx, own, written);
    await assignNumbers(tx, reviewId);
    await deleteDraftsOf(tx, reviewId);
    await recordAuditEvents(tx, [
      {
        actor,
        event: "review.submit",
        subject: { type: "review", id: reviewId },
        before: { status: own.review.status },
        after: { status: "completed" },
      },
    ]);
    const counts = await countAnnotations(tx, reviewId);
    await notifyCustomerOfCompletionLater(tx, config, own.review, counts);
  });
}

async function closeAssignment(
  tx: Database,
  { assignmentId, review }: OwnOpenReview,
  form: { feedback: string; version: string },
  fees: ReviewFees | null,
): Promise<void> {
  const closed = await tx
    .update(reviewAssignments)
    .set({
      completedAt: now(),
      draftFeedback: null,
      draftSavedAt: null,
      feePaise: fees && getFee(fees, review),
    })
    .where(
      and(
        eq(reviewAssignments.id, assignmentId),
        isNull(reviewAssignments.completedAt),
        isDraftUnchanged(form),
      ),
    )
    .returning({ id: reviewAssignments.id });
  if (closed.length === 0) throw createDraftConflict();
}

async function completeReview(tx: Database, { review }: OwnOpenReview, reviewerFeedback: string) {
  const completed = await tx
    .update(serviceReviews)
    .set({ status: "completed", reviewerFeedback })
    .where(and(eq(serviceReviews.id, review.id), ne(serviceReviews.status, "completed")))
    .returning({ id: serviceReviews.id });
  if (completed.length === 0) throw new Conflict(messages.alreadySubmitted);
}
