import { createHash } from "node:crypto";
import { and, asc, eq } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/authorize.server.ts";
import type { Database } from "../../platform/database.server.ts";
import { isUuid } from "../../platform/uuid.ts";
import { uploadLink } from "../kept-address.ts";
import type { ServiceType } from "../rules.ts";
import { reviewFiles, reviewImages, serviceReviews } from "../tables.server.ts";

/** A completed review as an admin edits it. */
export type EditableReview = {
  id: string;
  serviceType: ServiceType;
  priority: number;
  feedback: string;
  /** Names this state of the feedback and priority; it changes with them. */
  version: string;
};

/** Reads a completed review; null for any other. */
export async function readCompletedReview(
  db: Database,
  actor: Actor | null,
  id: string,
): Promise<EditableReview | null> {
  authorize(actor, "review.oversee");
  if (!isUuid(id)) return null;
  const [review] = await db
    .select()
    .from(serviceReviews)
    .where(and(eq(serviceReviews.id, id), eq(serviceReviews.status, "completed")));
  if (!review) return null;
  const { serviceType, priority, reviewerFeedback } = review;
  return {
    id,
    serviceType,
    priority,
    feedback: reviewerFeedback ?? "",
    version: versionOf(review),
  };
}

export function versionOf(review: { priority: number; reviewerFeedback: string | null }): string {
  const { priority, reviewerFeedback } = review;
  return createHash("sha256")
    .update(JSON.stringify([priority, reviewerFeedback]))
    .digest("hex");
}

/** `href` is null when what was kept is no safe link. */
export type ReviewImage = {
  id: string;
  href: string | null;
  annotation: string | null;
};

/** Lists the images of a review in the order in which they were added. */
export async function listReviewImages(
  db: Database,
  actor: Actor | null,
  reviewId: string,
): Promise<ReviewImage[]> {
  authorize(actor, "review.oversee");
  if (!isUuid(reviewId)) return [];
  const rows = await db
    .select()
    .from(reviewImages)
    .where(eq(reviewImages.reviewId, reviewId))
    .orderBy(asc(reviewImages.createdAt), asc(reviewImages.id));
  return rows.map(({ id, imageUrl, annotation }) => ({
    id,
    href: uploadLink(imageUrl),
    annotation,
  }));
}

export type ReviewFile = {
  id: string;
  href: string | null;
  name: string;
  type: string;
  annotation: string | null;
};

/** Lists the files that the reviewer handed back. */
export async function listReviewFiles(
  db: Database,
  actor: Actor | null,
  reviewId: string,
): Promise<ReviewFile[]> {
  authorize(actor, "review.oversee");
  if (!isUuid(reviewId)) return [];
  const rows = await db
    .select()
    .from(reviewFiles)
    .where(eq(reviewFiles.reviewId, reviewId))
    .orderBy(asc(reviewFiles.createdAt), asc(reviewFiles.id));
  return rows.map((row) => ({
    id: row.id,
    href: uploadLink(row.fileUrl),
    name: row.fileName,
    type: row.fileType,
    annotation: row.description,
  }));
}
