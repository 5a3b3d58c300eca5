import { and, eq, sql } from "drizzle-orm";
import { type Database, isUuid } from "../../platform/database.server.ts";
import { type Order, readPage } from "../../platform/list.server.ts";
import { type HandedFile, type HandedImage, listFiles, listImages } from "../handed-back.server.ts";
import { type Material, materialsOf } from "../materials.ts";
import { reviewRemarks } from "../remarks/tables.server.ts";
import type { ReviewStatus, ServiceType } from "../rules.ts";
import { serviceReviews } from "../tables.server.ts";

type Person = { id: string };

export type OwnReview = {
  id: string;
  serviceType: ServiceType;
  status: ReviewStatus;
  createdAt: Date;
  /** A link for each part that was handed in. */
  materials: Material[];
};

/** `next` is the cursor of the page behind it. */
export type OwnReviewPage = { reviews: OwnReview[]; next: string | null };

export const ownReviewsPerPage = 50;

/**
 * This person's reviews, newest first.
 *
 * @param after the cursor that an earlier page gave; one that is none means the first page
 */
export async function listOwnReviews(
  db: Database,
  actor: Person,
  after: string | null = null,
): Promise<OwnReviewPage> {
  const { rows, next } = await readPage(
    newestFirst,
    { cursor: after, size: ownReviewsPerPage },
    (part) =>
      db
        .select(ownReview)
        .from(serviceReviews)
        .where(and(eq(serviceReviews.userId, actor.id), part.where))
        .orderBy(...part.orderBy)
        .limit(part.limit),
  );
  return { reviews: rows.map(toOwnReview), next };
}

const newestFirst: Order<{ createdAt: Date; id: string }> = {
  keys: [
    { by: serviceReviews.createdAt, type: "timestamptz", of: ({ createdAt }) => createdAt },
    { by: serviceReviews.id, type: "uuid", of: ({ id }) => id },
  ],
  direction: "desc",
};

/** What the reviewer gave back. */
export type ReviewResult = {
  feedback: string | null;
  images: HandedImage[];
  files: HandedFile[];
  /** Whether there is anything to be read on the pages. */
  hasRemarks: boolean;
};

/**
 * One of this person's reviews. Its result is read only once it is completed.
 *
 * @returns null for what is not theirs, whether or not it exists
 */
export async function readOwnReview(
  db: Database,
  actor: Person,
  id: string,
): Promise<{ review: OwnReview; result: ReviewResult | null } | null> {
  if (!isUuid(id)) return null;
  const [row] = await db
    .select({
      ...ownReview,
      feedback: sql<
        string | null
      >`case when ${isCompleted} then ${serviceReviews.reviewerFeedback} end`,
    })
    .from(serviceReviews)
    .where(and(eq(serviceReviews.id, id), eq(serviceReviews.userId, actor.id)));
  if (!row) return null;

  const review = toOwnReview(row);
  if (row.status !== "completed") return { review, result: null };
  const [images, files, remarks] = await Promise.all([
    listImages(db, row.id),
    listFiles(db, row.id),
    db.$count(reviewRemarks, eq(reviewRemarks.reviewId, row.id)),
  ]);
  const feedback = row.feedback?.trim() || null;
  return { review, result: { feedback, images, files, hasRemarks: remarks > 0 } };
}

const isCompleted = sql`${serviceReviews.status} = 'completed'`;

const ownReview = {
  id: serviceReviews.id,
  serviceType: serviceReviews.serviceType,
  status: serviceReviews.status,
  createdAt: serviceReviews.createdAt,
  resumeFilePath: serviceReviews.resumeFilePath,
  portfolioUrl: serviceReviews.portfolioUrl,
  portfolioFilePath: serviceReviews.portfolioFilePath,
};

type Row = Parameters<typeof materialsOf>[0] & Omit<OwnReview, "materials">;

function toOwnReview({ id, serviceType, status, createdAt, ...paths }: Row): OwnReview {
  const materials = materialsOf({ serviceType, ...paths });
  return { id, serviceType, status, createdAt, materials };
}
