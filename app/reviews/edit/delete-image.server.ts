import { and, eq } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import { recordAuditEvents } from "../../platform/audit.server.ts";
import type { Database } from "../../platform/database.server.ts";
import { NotFound } from "../../platform/errors.ts";
import { isUuid } from "../../platform/uuid.ts";
import { reviewImages } from "../tables.server.ts";
import { lockCompletedReview } from "./lock-completed.server.ts";

/**
 * Deletes an image of a completed review. The bytes of a file of ours go with the next sweep of files
 * that nothing refers to.
 *
 * @throws {NotFound} when the review does not have the image.
 * @throws {Conflict} for a review that is not completed.
 */
export async function deleteImage(
  db: Database,
  actor: Actor | null,
  { reviewId, id }: { reviewId: string; id: string },
): Promise<void> {
  authorize(actor, "review.edit");
  await db.transaction(async (tx) => {
    await lockCompletedReview(tx, reviewId);
    const [before] = isUuid(id)
      ? await tx
          .delete(reviewImages)
          .where(and(eq(reviewImages.id, id), eq(reviewImages.reviewId, reviewId)))
          .returning({ imageUrl: reviewImages.imageUrl, annotation: reviewImages.annotation })
      : [];
    if (!before) throw new NotFound();
    await recordAuditEvents(tx, [
      { actor, event: "review.delete-image", subject: { type: "review", id: reviewId }, before },
    ]);
  });
}
