import { and, eq, isNull, ne } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/authorize.server.ts";
import { recordDeeds } from "../../platform/audit.server.ts";
import { now } from "../../platform/clock.ts";
import type { Database } from "../../platform/database.server.ts";
import { Conflict, Invalid } from "../../platform/errors.ts";
import { reviewAssignments, serviceReviews } from "../tables.server.ts";
import { lockOwnOpenReview, type OwnOpenReview } from "./own-review.server.ts";
import { cleanText, feedbackLimit, messages } from "./rules.ts";
import { type Sender, tellCustomerOfCompletionLater } from "./tell-people.server.tsx";

/**
 * Completes a reviewer's own open review with its feedback, exactly once, and tells the customer.
 *
 * @throws {Invalid} for feedback that is empty after trimming, or too long.
 * @throws {NotFound} for a review that is not the reviewer's own.
 * @throws {Conflict} when it was submitted before.
 */
export async function submitReview(
  db: Database,
  actor: Actor | null,
  { reviewId, feedback }: { reviewId: string; feedback: string },
  sender: Sender,
): Promise<void> {
  authorize(actor, "review.submit");
  const written = cleanText(feedback).trim();
  if (written === "") throw new Invalid({ feedback: messages.feedbackMissing });
  if (written.length > feedbackLimit) throw new Invalid({ feedback: messages.feedbackTooLong });

  await db.transaction(async (tx) => {
    const own = await lockOwnOpenReview(tx, actor.id, reviewId);
    await complete(tx, own, written);
    await recordDeeds(tx, [
      {
        actor,
        deed: "review.submit",
        subject: { type: "review", id: reviewId },
        before: { status: own.review.status },
        after: { status: "completed" },
      },
    ]);
    await tellCustomerOfCompletionLater(tx, sender, own.review);
  });
}

async function complete(
  tx: Database,
  { review, assignmentId }: OwnOpenReview,
  feedback: string,
): Promise<void> {
  const completed = await tx
    .update(serviceReviews)
    .set({ status: "completed", reviewerFeedback: feedback })
    .where(and(eq(serviceReviews.id, review.id), ne(serviceReviews.status, "completed")))
    .returning({ id: serviceReviews.id });
  const closed = await tx
    .update(reviewAssignments)
    .set({ completedAt: now(), draftFeedback: null, draftSavedAt: null })
    .where(and(eq(reviewAssignments.id, assignmentId), isNull(reviewAssignments.completedAt)))
    .returning({ id: reviewAssignments.id });
  if (completed.length + closed.length !== 2) throw new Conflict(messages.alreadySubmitted);
}
