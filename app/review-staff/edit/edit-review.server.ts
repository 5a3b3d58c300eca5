import { cleanText } from "../../platform/text/text.ts";
import { createHash } from "node:crypto";
import { and, eq } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import { recordAuditEvents } from "../../platform/audit.server.ts";
import { now } from "../../platform/clock.ts";
import { type Database, isUuid } from "../../platform/database.server.ts";
import { Conflict, Invalid, NotFound } from "../../platform/errors.ts";
import { feedbackLimit, messages, noteLimit } from "../../reviews/staff-rules.ts";
import { invalidUrl, isWebAddress, toUploadLink } from "../../reviews/addresses.ts";
import { priorityNames } from "../../reviews/rules.ts";
import type { HandedImage } from "../../reviews/materials.server.ts";
import { reviewRemarks } from "../../annotations/tables.server.ts";
import { lockCompletedReview } from "../../reviews/locks.server.ts";
import { reviewImages, serviceReviews } from "../../reviews/tables.server.ts";

/**
 * Changes the priority and the feedback of a completed review. Empty feedback is stored as null.
 *
 * @param edit.version of the review as it was opened
 * @throws {Invalid} for an unknown priority, or feedback that is too long.
 * @throws {NotFound} for a review that does not exist.
 * @throws {Conflict} for one that is not completed, or that was changed in the meantime.
 */
export async function updateReview(
  db: Database,
  actor: Actor | null,
  edit: { reviewId: string; priority: number; feedback: string; version: string },
): Promise<void> {
  authorize(actor, "review.edit");
  const { reviewId, priority, version } = edit;
  const reviewerFeedback = cleanText(edit.feedback).trim() || null;
  if (!(priority in priorityNames)) throw new Invalid({ priority: "Please select a priority" });
  if ((reviewerFeedback?.length ?? 0) > feedbackLimit) {
    throw new Invalid({ feedback: messages.feedbackTooLong });
  }

  await db.transaction(async (tx) => {
    const before = await lockCompletedReview(tx, reviewId);
    const after = { priority, reviewerFeedback };
    const isSame = getReviewVersion(before) === getReviewVersion(after);
    if (isSame) return;
    if (getReviewVersion(before) !== version) throw new Conflict(messages.changedMeanwhile);
    await tx.update(serviceReviews).set(after).where(eq(serviceReviews.id, reviewId));
    await recordAuditEvents(tx, [
      {
        actor,
        event: "review.edit",
        subject: { type: "review", id: reviewId },
        before: { priority: before.priority, feedback: before.reviewerFeedback },
        after: { priority, feedback: reviewerFeedback },
      },
    ]);
  });
}

/** Returns the version of the feedback and priority, to detect changes. */
export function getReviewVersion(review: {
  priority: number;
  reviewerFeedback: string | null;
}): string {
  return hashState([review.priority, review.reviewerFeedback]);
}

/** Returns the version of an image's address and annotation, to detect changes. */
export function getImageVersion({ href, annotation }: Omit<HandedImage, "id">): string {
  return hashState([href, annotation]);
}

function hashState(state: unknown[]): string {
  return createHash("sha256").update(JSON.stringify(state)).digest("hex");
}

/**
 * Adds an image by its web address to a completed review.
 *
 * @throws {Invalid} for fields that {@link validateImage} rejects.
 * @throws {NotFound} for a review that does not exist.
 * @throws {Conflict} for one that is not completed.
 */
export async function addImage(
  db: Database,
  actor: Actor | null,
  { reviewId, ...typed }: TypedImage & { reviewId: string },
): Promise<void> {
  authorize(actor, "review.edit");
  const image = validateImage(typed);
  await db.transaction(async (tx) => {
    await lockCompletedReview(tx, reviewId);
    await tx.insert(reviewImages).values({ reviewId, ...image, createdAt: now() });
    await recordAuditEvents(tx, [
      { actor, event: "review.add-image", subject: { type: "review", id: reviewId }, after: image },
    ]);
  });
}

/**
 * Changes the address and the annotation of an image of a completed review. An uploaded file that is replaced is
 * deleted by the next sweep of unreferenced files.
 *
 * @param edit.version of the image as it was opened
 * @throws {Invalid} for fields that {@link validateImage} rejects.
 * @throws {NotFound} when the review does not have the image.
 * @throws {Conflict} for a review that is not completed, or an image that was changed in the meantime.
 */
export async function updateImage(
  db: Database,
  actor: Actor | null,
  { reviewId, id, version, ...typed }: TypedImage & OpenedImage,
): Promise<void> {
  authorize(actor, "review.edit");
  await db.transaction(async (tx) => {
    await lockCompletedReview(tx, reviewId);
    const ofReview = and(eq(reviewImages.id, id), eq(reviewImages.reviewId, reviewId));
    const [stored] = isUuid(id) ? await tx.select().from(reviewImages).where(ofReview) : [];
    if (!stored) throw new NotFound();
    const before = { imageUrl: stored.imageUrl, annotation: stored.annotation };
    const link = toUploadLink(stored.imageUrl);
    const after = validateImage(typed, { imageUrl: stored.imageUrl, link });
    if (before.imageUrl === after.imageUrl && before.annotation === after.annotation) return;
    requireUnchanged(stored, version);
    await tx.update(reviewImages).set(after).where(ofReview);
    if (before.imageUrl !== after.imageUrl) await clearImagePins(tx, id);
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

/**
 * Deletes an image of a completed review. An uploaded file is deleted by the next sweep of unreferenced files.
 *
 * @param opened.version of the image as it was shown
 * @throws {NotFound} when the review does not have the image.
 * @throws {Conflict} for a review that is not completed, or an image that was changed in the meantime.
 */
export async function deleteImage(
  db: Database,
  actor: Actor | null,
  { reviewId, id, version }: OpenedImage,
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
    requireUnchanged(before, version);
    await recordAuditEvents(tx, [
      { actor, event: "review.delete-image", subject: { type: "review", id: reviewId }, before },
    ]);
  });
}

/** Removes the pins of remarks on an image that was replaced. */
async function clearImagePins(tx: Database, imageId: string): Promise<void> {
  await tx.update(reviewRemarks).set({ imageId: null }).where(eq(reviewRemarks.imageId, imageId));
}

/** An image of a review, with the version that the admin sees. */
type OpenedImage = { reviewId: string; id: string; version: string };

type StoredImage = { imageUrl: string; annotation: string | null };

function requireUnchanged({ imageUrl, annotation }: StoredImage, version: string): void {
  const now = getImageVersion({ href: toUploadLink(imageUrl), annotation });
  if (now !== version) throw new Conflict(messages.imageChanged);
}

/** An image's address and annotation as an admin types them. */
type TypedImage = { imageUrl: string; annotation: string };

/**
 * Validates an image and trims its fields; an empty annotation becomes null.
 *
 * @param current.link the link of the edited image, which can stay even if it is not a web address
 * @throws {Invalid} for an address that is missing or not a web address, or an annotation that is too long.
 */
function validateImage(typed: TypedImage, current?: { imageUrl: string; link: string | null }) {
  const imageUrl = typed.imageUrl.trim();
  const annotation = cleanText(typed.annotation).trim() || null;
  if (imageUrl === "") throw new Invalid({ imageUrl: messages.imageUrlMissing });
  const isSame = current !== undefined && imageUrl === current.link;
  if (!isSame && !isWebAddress(imageUrl)) throw new Invalid({ imageUrl: invalidUrl.description });
  if ((annotation?.length ?? 0) > noteLimit)
    throw new Invalid({ annotation: messages.noteTooLong });
  return { imageUrl: isSame ? current.imageUrl : imageUrl, annotation };
}
