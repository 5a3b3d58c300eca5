import { and, count, eq, gt, lt, or, type SQL, sql, sum } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import type { Bucket } from "../files/rules.ts";
import { storedFiles } from "../files/tables.server.ts";
import type { StoredFile } from "../files/receive/admit-upload.server.ts";
import { orders } from "../payments/tables.server.ts";
import { day, now } from "../platform/clock.ts";
import type { Database } from "../platform/database.server.ts";
import {
  reviewDrafts,
  reviewFiles,
  reviewImages,
  reviewOrders,
  serviceReviews,
} from "./tables.server.ts";

/** So long after its beginning a payment may still turn out to have succeeded. */
const mayStillSucceed = 30 * day;

const batch = 1000;

/**
 * Stored files from before then that belong to nothing any more: no draft, no review, no order that
 * may still succeed. At most a thousand at a time, the oldest first.
 */
export function unreferencedFiles(db: Database, olderThan: Date): Promise<StoredFile[]> {
  const { id } = storedFiles;
  const isDraft = or(eq(reviewDrafts.resumeFileId, id), eq(reviewDrafts.portfolioFileId, id));
  const isOrdered = or(
    isIn("resumes", sql`${reviewOrders.resumeFilePath}`),
    isIn("portfolios", sql`${reviewOrders.portfolioFilePath}`),
  );
  const begunLately = gt(orders.createdAt, new Date(now().getTime() - mayStillSucceed));
  return db
    .select()
    .from(storedFiles)
    .where(
      and(
        lt(storedFiles.createdAt, olderThan),
        none(reviewDrafts, isDraft),
        none(orderedReviews, and(begunLately, isOrdered)),
        none(serviceReviews, isHandedIn),
        none(reviewImages, isImage),
        none(reviewFiles, isFile),
      ),
    )
    .orderBy(storedFiles.createdAt)
    .limit(batch);
}

/** How much a person has uploaded that is no part of a review, each of which was paid for. */
export async function countHeldFiles(
  db: Database,
  uploaderId: string,
): Promise<{ files: number; bytes: number }> {
  const [held] = await db
    .select({ files: count(), bytes: sum(storedFiles.size) })
    .from(storedFiles)
    .where(
      and(
        eq(storedFiles.uploadedBy, uploaderId),
        none(serviceReviews, and(eq(serviceReviews.userId, uploaderId), isHandedIn)),
        none(reviewImages, and(eq(reviewImages.reviewId, reviewOfPath), isImage)),
        none(reviewFiles, and(eq(reviewFiles.reviewId, reviewOfPath), isFile)),
      ),
    );
  return { files: held?.files ?? 0, bytes: Number(held?.bytes ?? 0) };
}

const isHandedIn = or(
  isIn("resumes", sql`${serviceReviews.resumeFilePath}`),
  isIn("portfolios", sql`${serviceReviews.portfolioFilePath}`),
);
const isImage = isKeptAs(sql`${reviewImages.imageUrl}`);
const isFile = isKeptAs(sql`${reviewFiles.fileUrl}`);

/** Lets the database look at the images of one review instead of at all that there are. */
const reviewOfPath = sql`substring(${storedFiles.path} from '^reviews/([0-9a-f-]{36})/')::uuid`;

const orderedReviews = sql`${reviewOrders} join ${orders} on ${eq(orders.orderId, reviewOrders.orderId)}`;

function none(table: PgTable | SQL, condition: SQL | undefined): SQL {
  return sql`not exists (select 1 from ${table} where ${condition})`;
}

function isIn(bucket: Bucket, path: SQL): SQL {
  return sql`(${storedFiles.bucket} = ${bucket} and ${storedFiles.path} = ${path})`;
}

/** Whether it is the file of an address that is kept as bucket and path, or as a link. */
function isKeptAs(address: SQL): SQL {
  return sql`regexp_replace(${address}, '^/storage/', '') = ${storedFiles.bucket} || '/' || ${storedFiles.path}`;
}
