import { and, eq } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import { recordAuditEvents } from "../../platform/audit.server.ts";
import type { Database } from "../../platform/database.server.ts";
import { NotFound } from "../../platform/errors.ts";
import { isUuid } from "../../platform/uuid.ts";
import { reviewFiles, reviewImages } from "../tables.server.ts";
import { lockOwnOpenReview } from "./own-review.server.ts";

export type UploadKind = "image" | "file";

/**
 * Removes a screenshot or a file from a reviewer's own open review. Nobody can read it from then on;
 * its bytes go with the next sweep of files that nothing refers to.
 *
 * @throws {NotFound} when the review is not the reviewer's own, or does not have it.
 * @throws {Conflict} when the review is completed.
 */
export async function removeUpload(
  db: Database,
  actor: Actor | null,
  { reviewId, kind, id }: { reviewId: string; kind: UploadKind; id: string },
): Promise<void> {
  authorize(actor, "review.write");
  await db.transaction(async (tx) => {
    await lockOwnOpenReview(tx, actor.id, reviewId);
    const address = isUuid(id) ? await deleteRow(tx, reviewId, kind, id) : null;
    if (!address) throw new NotFound();
    await recordAuditEvents(tx, [
      {
        actor,
        event: "review.remove-upload",
        subject: { type: "review", id: reviewId },
        before: { file: address },
      },
    ]);
  });
}

async function deleteRow(
  tx: Database,
  reviewId: string,
  kind: UploadKind,
  id: string,
): Promise<string | null> {
  const [row] =
    kind === "image"
      ? await tx
          .delete(reviewImages)
          .where(and(eq(reviewImages.id, id), eq(reviewImages.reviewId, reviewId)))
          .returning({ address: reviewImages.imageUrl })
      : await tx
          .delete(reviewFiles)
          .where(and(eq(reviewFiles.id, id), eq(reviewFiles.reviewId, reviewId)))
          .returning({ address: reviewFiles.fileUrl });
  return row?.address ?? null;
}
