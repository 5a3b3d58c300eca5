import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import { recordAuditEvents } from "../../platform/audit.server.ts";
import { now } from "../../platform/clock.ts";
import type { Database } from "../../platform/database.server.ts";
import { reviewImages } from "../tables.server.ts";
import { readTypedImage, type TypedImage } from "./edited-image.server.ts";
import { lockCompletedReview } from "./lock-completed.server.ts";

/**
 * Adds an image by its web address to a completed review.
 *
 * @throws {Invalid} for what {@link readTypedImage} refuses.
 * @throws {NotFound} for a review that does not exist.
 * @throws {Conflict} for one that is not completed.
 */
export async function addImage(
  db: Database,
  actor: Actor | null,
  { reviewId, ...typed }: TypedImage & { reviewId: string },
): Promise<void> {
  authorize(actor, "review.edit");
  const image = readTypedImage(typed);
  await db.transaction(async (tx) => {
    await lockCompletedReview(tx, reviewId);
    await tx.insert(reviewImages).values({ reviewId, ...image, createdAt: now() });
    await recordAuditEvents(tx, [
      { actor, event: "review.add-image", subject: { type: "review", id: reviewId }, after: image },
    ]);
  });
}
