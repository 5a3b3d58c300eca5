import { createHash } from "node:crypto";
import { and, eq } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import { type Database, isUuid } from "../../platform/database.server.ts";
import type { ServiceType } from "../rules.ts";
import { serviceReviews } from "../tables.server.ts";
import { type HandedFile, type HandedImage, listFiles, listImages } from "../handed-back.server.ts";

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

/** Lists the images of a review in the order in which they were added. */
export async function listReviewImages(
  db: Database,
  actor: Actor | null,
  reviewId: string,
): Promise<HandedImage[]> {
  authorize(actor, "review.oversee");
  return isUuid(reviewId) ? listImages(db, reviewId) : [];
}

/** Lists the files that the reviewer handed back. */
export async function listReviewFiles(
  db: Database,
  actor: Actor | null,
  reviewId: string,
): Promise<HandedFile[]> {
  authorize(actor, "review.oversee");
  return isUuid(reviewId) ? listFiles(db, reviewId) : [];
}
