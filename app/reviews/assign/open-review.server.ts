import { and, eq } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import { recordAuditEvents } from "../../platform/audit.server.ts";
import type { Database } from "../../platform/database.server.ts";
import { serviceReviews } from "../tables.server.ts";
import { lockOwnOpenReview } from "../work/own-review.server.ts";

/**
 * Marks a reviewer's own review as under review, if it is still pending when they open it.
 *
 * @returns true when it was pending.
 * @throws {NotFound | Conflict} for a review that is not the reviewer's own and open.
 */
export async function openReview(
  db: Database,
  actor: Actor | null,
  reviewId: string,
): Promise<boolean> {
  authorize(actor, "review.open");
  return db.transaction(async (tx) => {
    await lockOwnOpenReview(tx, actor.id, reviewId);
    const opened = await tx
      .update(serviceReviews)
      .set({ status: "under_review" })
      .where(and(eq(serviceReviews.id, reviewId), eq(serviceReviews.status, "pending")))
      .returning({ id: serviceReviews.id });
    await recordAuditEvents(
      tx,
      opened.map(({ id }) => ({
        actor,
        event: "review.open",
        subject: { type: "review", id },
        before: { status: "pending" },
        after: { status: "under_review" },
      })),
    );
    return opened.length > 0;
  });
}
