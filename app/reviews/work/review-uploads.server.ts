import type { StoredFile, Upload, UploadRules } from "../../files/receive/upload-rules.server.ts";
import { recordAuditEvents } from "../../platform/audit.server.ts";
import { now } from "../../platform/clock.ts";
import type { Database } from "../../platform/database.server.ts";
import { Invalid } from "../../platform/errors.ts";
import { reviewFiles, reviewImages } from "../tables.server.ts";
import { lockOwnOpenReview } from "./own-review.server.ts";
import { cleanText, messages, noteLimit } from "../assign/rules.ts";
import { keptAddress } from "../buy/stored-address.ts";

/** Screenshots of a review; the upload's target is the review's id, its note the annotation. */
export const reviewImageUploads: UploadRules = {
  admit,
  attach: (tx, uploaderId, upload, file) =>
    attach(tx, uploaderId, upload, file, async (reviewId, note) => {
      const imageUrl = keptAddress(file);
      await tx
        .insert(reviewImages)
        .values({ reviewId, imageUrl, annotation: note, createdAt: now() });
    }),
};

/** Files that a reviewer hands back; the upload's note is the description. */
export const reviewFileUploads: UploadRules = {
  admit,
  attach: (tx, uploaderId, upload, file) =>
    attach(tx, uploaderId, upload, file, async (reviewId, note) => {
      await tx.insert(reviewFiles).values({
        reviewId,
        fileUrl: keptAddress(file),
        fileName: file.originalName,
        fileType: file.mimeType,
        description: note,
        createdAt: now(),
      });
    }),
};

/** Only to a review that is the uploader's own and open; the lock ends with the statement. */
async function admit(db: Database, uploaderId: string, { target, note }: Upload): Promise<void> {
  cleanNote(note);
  await lockOwnOpenReview(db, uploaderId, target);
}

/** The same once more under a lock: the review may have been submitted or taken away meanwhile. */
async function attach(
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
      after: { file: keptAddress(file) },
    },
  ]);
}

function cleanNote(typed: string | null): string | null {
  const note = cleanText(typed ?? "").trim();
  if (note.length > noteLimit) throw new Invalid({ note: messages.noteTooLong });
  return note === "" ? null : note;
}
