import { and, eq, sql } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { hasOpenAccount } from "../../accounts/sealed-accounts.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import {
  type MarkedReview,
  getMarkedReview,
} from "../../annotations/remarks/read-annotations.server.ts";
import {
  type Comparison,
  findComparison,
} from "../../annotations/second-look/find-second-look.server.ts";
import { type Database, isUuid } from "../../platform/database.server.ts";
import { buildOrder, countUpTo, readPageOrLast } from "../../platform/lists/list.server.ts";
import {
  isCompleted,
  toListedReview,
  selectAssignments,
  reviewerName,
  rowsPerPage,
  userName,
} from "../assign/lists.server.ts";
import { matchesAssignmentSearch } from "../assign/search-reviews.server.ts";
import { findBrief } from "../../reviews/brief/brief.server.ts";
import type { ReviewBrief } from "../../reviews/brief.ts";
import {
  resolveDisplayModes,
  type HandedFile,
  type HandedImage,
  listHandedFiles,
  listHandedImages,
  type Material,
  listMaterials,
} from "../../reviews/materials.server.ts";
import { findRating } from "../../reviews/rating/rating.server.ts";
import type { RatingView } from "../../reviews/rating/rules.ts";
import type { ServiceType } from "../../reviews/rules.ts";
import { formatFeedbackPreview, previewLength } from "../../reviews/staff-rules.ts";
import { reviewAssignments, serviceReviews } from "../../reviews/tables.server.ts";
import { getImageVersion, getReviewVersion } from "./edit-review.server.ts";

/** Lists the reviews that were submitted, the newest completion first. */
export async function listCompletedReviews(
  db: Database,
  actor: Actor | null,
  { search = "", after }: { search?: string; after: string | null },
) {
  authorize(actor, "review.oversee");
  const [{ rows, ...beside }, total] = await Promise.all([
    readPageOrLast(newestFirst, { cursor: after, size: rowsPerPage }, ({ where, ...part }) =>
      selectAssignments(db, completed, { where: and(isCompleted, where), ...part }, search),
    ),
    countUpTo(db, reviewAssignments, and(isCompleted, matchesAssignmentSearch(search))),
  ]);
  return {
    rows: rows.map(({ beginning, ...row }) => ({
      ...toListedReview(row),
      userName: row.userName,
      reviewerName: row.reviewerName,
      completedAt: row.completedAt,
      preview: formatFeedbackPreview(beginning),
    })),
    total,
    ...beside,
  };
}

const completed = {
  // Never null, because of the list's filter.
  completedAt: sql<Date>`${reviewAssignments.completedAt}`.mapWith(reviewAssignments.completedAt),
  userName,
  reviewerName,
  // Reads enough to see whether the text is cut and to keep a long character complete.
  beginning: sql<
    string | null
  >`left(regexp_replace(${serviceReviews.reviewerFeedback}, '^\\s+', ''), ${previewLength * 4})`,
};

const newestFirst = buildOrder("desc", {
  completedAt: reviewAssignments.completedAt,
  assignmentId: reviewAssignments.id,
});

/** A completed review as an admin edits it. */
export type EditableReview = NonNullable<Awaited<ReturnType<typeof findCompletedReview>>>;

/** Reads a completed review; null for any other. */
export async function findCompletedReview(db: Database, actor: Actor | null, id: string) {
  authorize(actor, "review.oversee");
  const review = await findCompletedRow(db, id);
  if (!review) return null;
  const { serviceType, priority, reviewerFeedback } = review;
  return {
    id,
    serviceType,
    priority,
    feedback: reviewerFeedback ?? "",
    /** Identifies this feedback and priority, to detect changes. */
    version: getReviewVersion(review),
  };
}

async function findCompletedRow(db: Database, id: string) {
  if (!isUuid(id)) return null;
  const [review] = await db
    .select()
    .from(serviceReviews)
    .where(
      and(
        eq(serviceReviews.id, id),
        eq(serviceReviews.status, "completed"),
        hasOpenAccount(serviceReviews.userId),
      ),
    );
  return review ?? null;
}

/** An image as an admin edits it, with its version. */
export type EditableImage = HandedImage & { version: string };

/** Lists the images of a review in the order in which they were added. */
export async function listReviewImages(
  db: Database,
  actor: Actor | null,
  reviewId: string,
): Promise<EditableImage[]> {
  authorize(actor, "review.oversee");
  const images = isUuid(reviewId) ? await listHandedImages(db, reviewId) : [];
  return images.map((image) => ({ ...image, version: getImageVersion(image) }));
}

/** Lists the reviewer's files. */
export async function listReviewFiles(
  db: Database,
  actor: Actor | null,
  reviewId: string,
): Promise<HandedFile[]> {
  authorize(actor, "review.oversee");
  return isUuid(reviewId) ? listHandedFiles(db, reviewId) : [];
}

/** Returns the customer's brief with its answers, and their rating. */
export async function getBriefAndRating(
  db: Database,
  actor: Actor | null,
  reviewId: string,
): Promise<{ brief: ReviewBrief | null; rating: RatingView | null }> {
  authorize(actor, "review.oversee");
  if (!isUuid(reviewId)) return { brief: null, rating: null };
  const [brief, rating] = await Promise.all([findBrief(db, reviewId), findRating(db, reviewId)]);
  return { brief, rating };
}

/** Reads a completed review with its remarks; null for any other. */
export async function findCompletedRemarks(
  db: Database,
  actor: Actor | null,
  id: string,
): Promise<
  | (MarkedReview & {
      id: string;
      serviceType: ServiceType;
      materials: Material[];
      comparison: Comparison | null;
    })
  | null
> {
  authorize(actor, "review.oversee");
  const review = await findCompletedRow(db, id);
  if (!review) return null;
  const marked = await getMarkedReview(db, review);
  const { pages: parts, scores } = marked;
  return {
    id,
    serviceType: review.serviceType,
    materials: await resolveDisplayModes(db, listMaterials(review)),
    /** For a second look. */
    comparison: await findComparison(db, review, { parts, scores }),
    ...marked,
  };
}
