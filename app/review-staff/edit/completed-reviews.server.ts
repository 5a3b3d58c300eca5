import { and, eq, sql } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import {
  type MarkedReview,
  readMarkedReview,
} from "../../annotations/remarks/read-annotations.server.ts";
import { type Database, isUuid } from "../../platform/database.server.ts";
import { countUpTo, type Order, readPageOrLast } from "../../platform/list.server.ts";
import {
  isCompleted,
  type ListedReview,
  listedReview,
  readAssignments,
  reviewerName,
  type ReviewsPage,
  rowsPerPage,
  userName,
} from "../assign/lists.server.ts";
import { readBrief } from "../../reviews/brief/brief.server.ts";
import type { ReviewBrief } from "../../reviews/brief.ts";
import {
  asShown,
  type HandedFile,
  type HandedImage,
  listFiles,
  listImages,
  type Material,
  materialsOf,
} from "../../reviews/materials.server.ts";
import { readRating } from "../../reviews/rating/rating.server.ts";
import type { ShownRating } from "../../reviews/rating/rules.ts";
import type { ServiceType } from "../../reviews/rules.ts";
import { feedbackPreview, previewLength } from "../../reviews/staff-rules.ts";
import { reviewAssignments, serviceReviews } from "../../reviews/tables.server.ts";
import { imageVersion, versionOf } from "./edit-review.server.ts";

type CompletedReview = ListedReview & {
  userName: string;
  reviewerName: string;
  completedAt: Date;
  /** The beginning of the feedback, or that there is none. */
  preview: string;
};

/** Lists the reviews that were submitted, the newest completion first. */
export async function listCompletedReviews(
  db: Database,
  actor: Actor | null,
  { after }: { after: string | null },
): Promise<ReviewsPage<CompletedReview>> {
  authorize(actor, "review.oversee");
  const [{ rows, ...beside }, total] = await Promise.all([
    readPageOrLast(newestFirst, { cursor: after, size: rowsPerPage }, ({ where, ...part }) =>
      readAssignments(db, completed, { where: and(isCompleted, where), ...part }),
    ),
    countUpTo(db, reviewAssignments, isCompleted),
  ]);
  return {
    rows: rows.map(({ beginning, ...row }) => ({
      ...listedReview(row),
      userName: row.userName,
      reviewerName: row.reviewerName,
      completedAt: row.completedAt,
      preview: feedbackPreview(beginning),
    })),
    total,
    ...beside,
  };
}

const completed = {
  // The list's filter leaves none out.
  completedAt: sql<Date>`${reviewAssignments.completedAt}`.mapWith(reviewAssignments.completedAt),
  userName,
  reviewerName,
  // Enough to see that there is more, and to keep a long character whole.
  beginning: sql<
    string | null
  >`left(regexp_replace(${serviceReviews.reviewerFeedback}, '^\\s+', ''), ${previewLength * 4})`,
};

const newestFirst: Order<{ completedAt: Date; assignmentId: string }> = {
  keys: [
    {
      by: reviewAssignments.completedAt,
      type: "timestamptz",
      of: ({ completedAt }) => completedAt,
    },
    { by: reviewAssignments.id, type: "uuid", of: ({ assignmentId }) => assignmentId },
  ],
  direction: "desc",
};

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
  const review = await findCompleted(db, id);
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

async function findCompleted(db: Database, id: string) {
  if (!isUuid(id)) return null;
  const [review] = await db
    .select()
    .from(serviceReviews)
    .where(and(eq(serviceReviews.id, id), eq(serviceReviews.status, "completed")));
  return review ?? null;
}

/** An image as an admin edits it, and the name of this state. */
export type EditableImage = HandedImage & { version: string };

/** Lists the images of a review in the order in which they were added. */
export async function listReviewImages(
  db: Database,
  actor: Actor | null,
  reviewId: string,
): Promise<EditableImage[]> {
  authorize(actor, "review.oversee");
  const images = isUuid(reviewId) ? await listImages(db, reviewId) : [];
  return images.map((image) => ({ ...image, version: imageVersion(image) }));
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

/** What the customer asked for and was answered, and what they thought of it. */
export async function readBriefAndRating(
  db: Database,
  actor: Actor | null,
  reviewId: string,
): Promise<{ brief: ReviewBrief | null; rating: ShownRating | null }> {
  authorize(actor, "review.oversee");
  if (!isUuid(reviewId)) return { brief: null, rating: null };
  const [brief, rating] = await Promise.all([readBrief(db, reviewId), readRating(db, reviewId)]);
  return { brief, rating };
}

/** Reads what is marked of a completed review; null for any other. */
export async function readCompletedRemarks(
  db: Database,
  actor: Actor | null,
  id: string,
): Promise<
  (MarkedReview & { id: string; serviceType: ServiceType; materials: Material[] }) | null
> {
  authorize(actor, "review.oversee");
  const review = await findCompleted(db, id);
  if (!review) return null;
  return {
    id,
    serviceType: review.serviceType,
    materials: await asShown(db, materialsOf(review)),
    ...(await readMarkedReview(db, review)),
  };
}
