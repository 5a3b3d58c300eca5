import { eq } from "drizzle-orm";
import type { Database } from "../../platform/database.server.ts";
import { Conflict, NotFound } from "../../platform/errors.ts";
import { isUuid } from "../../platform/uuid.ts";
import { serviceReviews } from "../tables.server.ts";
import { messages } from "../assign/rules.ts";

/**
 * Locks a completed review for the rest of the transaction.
 *
 * @throws {NotFound} for one that does not exist.
 * @throws {Conflict} for one that is not completed.
 */
export async function lockCompletedReview(tx: Database, reviewId: string) {
  const [review] = isUuid(reviewId)
    ? await tx
        .select()
        .from(serviceReviews)
        .where(eq(serviceReviews.id, reviewId))
        .for("no key update")
    : [];
  if (!review) throw new NotFound("Review not found");
  if (review.status !== "completed") throw new Conflict(messages.notCompleted);
  return review;
}
