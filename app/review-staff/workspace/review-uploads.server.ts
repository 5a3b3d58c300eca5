import { cleanText } from "../../platform/text/text.ts";
import { and, eq } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import type { StoredFile, Upload, UploadRules } from "../../files/receive/admit-upload.server.ts";
import { recordAuditEvents } from "../../platform/audit.server.ts";
import { now } from "../../platform/clock.ts";
import { type Database, isUuid } from "../../platform/database.server.ts";
import { Invalid, NotFound } from "../../platform/errors.ts";
import { messages, noteLimit } from "../../reviews/staff-rules.ts";
import { toStoredAddress } from "../../reviews/addresses.ts";
import { lockOwnOpenReview } from "../../reviews/locks.server.ts";
import { reviewFiles, reviewImages } from "../../reviews/tables.server.ts";

/** Screenshots of a review; the upload's target is the review's id, its note the annotation. */
export const reviewImageUploads: UploadRules = {
  admit: checkUpload,
  attach: (tx, uploaderId, upload, file) =>
    attachUpload(tx, uploaderId, upload, file, async (reviewId, note) => {
      const imageUrl = toStoredAddress(file);
      await tx
        .insert(reviewImages)
        .values({ reviewId, imageUrl, annotation: note, createdAt: now() });
    }),
};

/** A reviewer's files; the upload's note is the description. */
export const reviewFileUploads: UploadRules = {
  admit: checkUpload,
  attach: (tx, uploaderId, upload, file) =>
    attachUpload(tx, uploaderId, upload, file, async (reviewId, note) => {
      await tx.insert(reviewFiles).values({
        reviewId,
        fileUrl: toStoredAddress(file),
        fileName: file.originalName,
        fileType: file.mimeType,
        description: note,
        createdAt: now(),
      });
    }),
};

export type UploadKind = "image" | "file";

/**
 * Removes a screenshot or a file from a reviewer's own open review. Nobody can read it any more; its bytes are
 * deleted by the next sweep of unreferenced files.
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
    const address = isUuid(id) ? await deleteUploadRow(tx, reviewId, kind, id) : null;
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

/** Requires the uploader's own open review; the lock ends with the statement. */
async function checkUpload(db: Database, uploaderId: string, { target, note }: Upload) {
  cleanNote(note);
  await lockOwnOpenReview(db, uploaderId, target);
}

/** Checks again under a lock: the review may have been submitted or reassigned in the meantime. */
async function attachUpload(
  tx: Database,
  uploaderId: string,
  { target, note }: Upload,
  file: StoredFile,
  insert: (reviewId: string, note: string | null) => Promise<void>,
): Promise<void> {
  const { review, reviewer } = await lockOwnOpenReview(tx, uploaderId, target);
  await insert(review.id, cleanNote(note));
  await recordAuditEvents(tx, [
    {
      actor: reviewer,
      event: "review.upload",
      subject: { type: "review", id: review.id },
      after: { file: toStoredAddress(file) },
    },
  ]);
}

function cleanNote(typed: string | null): string | null {
  const note = cleanText(typed ?? "").trim();
  if (note.length > noteLimit) throw new Invalid({ note: messages.noteTooLong });
  return note === "" ? null : note;
}

async function deleteUploadRow(tx: Database, reviewId: string, kind: UploadKind, id: string) {
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
