import { and, eq, exists, isNull, ne, sql } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/authorize.server.ts";
import { now } from "../../platform/clock.ts";
import type { Database } from "../../platform/database.server.ts";
import { Conflict, Invalid } from "../../platform/errors.ts";
import { isUuid } from "../../platform/uuid.ts";
import { reviewAssignments, serviceReviews } from "../tables.server.ts";
import { isReviewerNow } from "./own-review.server.ts";
import { cleanText, feedbackLimit, messages } from "./rules.ts";

/**
 * Keeps feedback that is being written, on the reviewer's own open assignment; nobody else sees it.
 * It leaves no line in the audit trail, since it happens every few seconds and changes no review.
 *
 * @returns when it was saved.
 * @throws {Invalid} when it is too long.
 * @throws {Conflict} when the review is not the reviewer's own and open any more.
 */
export async function saveDraftFeedback(
  db: Database,
  actor: Actor | null,
  { reviewId, feedback }: { reviewId: string; feedback: string },
): Promise<Date> {
  authorize(actor, "review.write");
  const draft = cleanText(feedback);
  if (draft.length > feedbackLimit) throw new Invalid({ feedback: messages.feedbackTooLong });
  if (!isUuid(reviewId)) throw new Conflict(messages.notOpen);

  const draftSavedAt = now();
  const saved = await db
    .update(reviewAssignments)
    .set({ draftFeedback: draft === "" ? null : draft, draftSavedAt })
    .where(
      and(
        eq(reviewAssignments.reviewId, reviewId),
        eq(reviewAssignments.reviewerId, actor.id),
        isNull(reviewAssignments.completedAt),
        isReviewerNow(db, actor.id),
        reviewIsOpen(db, reviewId),
      ),
    )
    .returning({ id: reviewAssignments.id });
  if (saved.length === 0) throw new Conflict(messages.notOpen);
  return draftSavedAt;
}

function reviewIsOpen(db: Database, reviewId: string) {
  return exists(
    db
      .select({ one: sql`1` })
      .from(serviceReviews)
      .where(and(eq(serviceReviews.id, reviewId), ne(serviceReviews.status, "completed"))),
  );
}
