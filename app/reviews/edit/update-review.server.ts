import { eq } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import { recordAuditEvents } from "../../platform/audit.server.ts";
import type { Database } from "../../platform/database.server.ts";
import { Conflict, Invalid } from "../../platform/errors.ts";
import { priorityNames } from "../rules.ts";
import { serviceReviews } from "../tables.server.ts";
import { versionOf } from "./completed-review.server.ts";
import { lockCompletedReview } from "./lock-completed.server.ts";
import { cleanText, feedbackLimit, messages } from "../assign/rules.ts";

/**
 * Changes the priority and the feedback of a completed review. Empty feedback is none.
 *
 * @param edit.version of the review as it was opened
 * @throws {Invalid} for an unknown priority, or feedback that is too long.
 * @throws {NotFound} for a review that does not exist.
 * @throws {Conflict} for one that is not completed, or that somebody has changed meanwhile.
 */
export async function updateReview(
  db: Database,
  actor: Actor | null,
  edit: { reviewId: string; priority: number; feedback: string; version: string },
): Promise<void> {
  authorize(actor, "review.edit");
  const { reviewId, priority, version } = edit;
  const reviewerFeedback = cleanText(edit.feedback).trim() || null;
  if (!(priority in priorityNames)) throw new Invalid({ priority: "Please select a priority" });
  if ((reviewerFeedback?.length ?? 0) > feedbackLimit) {
    throw new Invalid({ feedback: messages.feedbackTooLong });
  }

  await db.transaction(async (tx) => {
    const before = await lockCompletedReview(tx, reviewId);
    const after = { priority, reviewerFeedback };
    const isSame = versionOf(before) === versionOf(after);
    if (isSame) return;
    if (versionOf(before) !== version) throw new Conflict(messages.changedMeanwhile);
    await tx.update(serviceReviews).set(after).where(eq(serviceReviews.id, reviewId));
    await recordAuditEvents(tx, [
      {
        actor,
        event: "review.edit",
        subject: { type: "review", id: reviewId },
        before: { priority: before.priority, feedback: before.reviewerFeedback },
        after: { priority, feedback: reviewerFeedback },
      },
    ]);
  });
}
