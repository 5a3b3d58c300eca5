import { eq } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import { recordAuditEvents } from "../../platform/audit.server.ts";
import { type Database, isUuid } from "../../platform/database.server.ts";
import { Invalid, NotFound } from "../../platform/errors.ts";
import { priorityNames } from "../rules.ts";
import { serviceReviews } from "../tables.server.ts";

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
  if (!isUuid(reviewId)) throw new NotFound("Review not found");

  await db.transaction(async (tx) => {
    const [review] = await tx
      .select({ priority: serviceReviews.priority })
      .from(serviceReviews)
      .where(eq(serviceReviews.id, reviewId))
      .for("no key update");
    if (!review) throw new NotFound("Review not found");
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
