import { and, desc, eq, type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../../platform/database.server.ts";
import { readCursor, writeCursor } from "../../platform/list.server.ts";
import { isUuid } from "../../platform/uuid.ts";
import { type HandedFile, type HandedImage, listFiles, listImages } from "../handed-back.server.ts";
import { type Material, materialsOf } from "../materials.ts";
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
  const rows = await db
    .select(ownReview)
    .from(serviceReviews)
    .where(and(eq(serviceReviews.userId, actor.id), behind(after)))
    .orderBy(desc(serviceReviews.createdAt), desc(serviceReviews.id))
    .limit(ownReviewsPerPage + 1);
  const shown = rows.slice(0, ownReviewsPerPage);
  const last = shown.at(-1);
  const hasMore = rows.length > shown.length;
  return {
    reviews: shown.map(toOwnReview),
    next: last && hasMore ? writeCursor([last.createdAt.getTime(), last.id]) : null,
  };
}

/** Milliseconds up to the year 9999, beyond which dates are written in another way; and an id. */
const placeOfReview = z.tuple([
  z.int().min(-62_135_596_800_000).max(253_402_300_799_999),
  z.guid(),
]);

function behind(after: string | null): SQL | undefined {
  const place = readCursor(after, placeOfReview);
  if (!place) return undefined;
  const createdAt = new Date(place[0]).toISOString();
  return sql`(${serviceReviews.createdAt}, ${serviceReviews.id}) < (${createdAt}::timestamptz, ${place[1]}::uuid)`;
}

/** What the reviewer gave back. */
export type ReviewResult = {
  feedback: string | null;
  images: HandedImage[];
  files: HandedFile[];
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
  const [images, files] = await Promise.all([listImages(db, row.id), listFiles(db, row.id)]);
  return { review, result: { feedback: row.feedback?.trim() || null, images, files } };
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
