import { eq } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import { recordAuditEvents } from "../../platform/audit.server.ts";
import type { Database } from "../../platform/database.server.ts";
import { Invalid } from "../../platform/errors.ts";
import { lockReview } from "../../reviews/locks.server.ts";
import { priorityNames } from "../../reviews/rules.ts";
import { serviceReviews } from "../../reviews/tables.server.ts";

/**
 * Sets how urgent a review is: 0 None, 1 Low, 2 Medium, 3 High.
 *
 * @throws {Invalid} for any other priority.
 * @throws {NotFound} for a review that does not exist.
 */
export async function setPriority(
  db: Database,
  actor: Actor | null,
  { reviewId, priority }: { reviewId: string; priority: number },
): Promise<void> {
  authorize(actor, "review.prioritise");
  if (!(priority in priorityNames)) throw new Invalid({ priority: "Please select a priority" });

  await db.transaction(async (tx) => {
    const review = await lockReview(tx, reviewId);
    if (review.priority === priority) return;
    await tx.update(serviceReviews).set({ priority }).where(eq(serviceReviews.id, reviewId));
    await recordAuditEvents(tx, [
      {
        actor,
        event: "review.prioritise",
        subject: { type: "review", id: reviewId },
        before: { priority: review.priority },
        after: { priority },
      },
    ]);
  });
}
