import { and, eq } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import { recordAuditEvents } from "../../platform/audit.server.ts";
import type { Database } from "../../platform/database.server.ts";
import { NotFound } from "../../platform/errors.ts";
import { isUuid } from "../../platform/uuid.ts";
import { uploadLink } from "../buy/stored-address.ts";
import { reviewImages } from "../tables.server.ts";
import { readTypedImage, type TypedImage } from "./edited-image.server.ts";
import { lockCompletedReview } from "./lock-completed.server.ts";

/**
 * Changes the address and the annotation of an image of a completed review. A file of ours whose
 * address is replaced goes with the next sweep of files that nothing refers to.
 *
 * @throws {Invalid} for what {@link readTypedImage} refuses.
 * @throws {NotFound} when the review does not have the image.
 * @throws {Conflict} for a review that is not completed.
 */
export async function updateImage(
  db: Database,
  actor: Actor | null,
  { reviewId, id, ...typed }: TypedImage & { reviewId: string; id: string },
): Promise<void> {
  authorize(actor, "review.edit");
  await db.transaction(async (tx) => {
    await lockCompletedReview(tx, reviewId);
    const ofReview = and(eq(reviewImages.id, id), eq(reviewImages.reviewId, reviewId));
    const [kept] = isUuid(id) ? await tx.select().from(reviewImages).where(ofReview) : [];
    if (!kept) throw new NotFound();
    const before = { imageUrl: kept.imageUrl, annotation: kept.annotation };
    const after = readTypedImage(typed, {
      imageUrl: kept.imageUrl,
      link: uploadLink(kept.imageUrl),
    });
    if (before.imageUrl === after.imageUrl && before.annotation === after.annotation) return;
    await tx.update(reviewImages).set(after).where(ofReview);
    await recordAuditEvents(tx, [
      {
        actor,
        event: "review.update-image",
        subject: { type: "review", id: reviewId },
        before,
        after,
      },
    ]);
  });
}
