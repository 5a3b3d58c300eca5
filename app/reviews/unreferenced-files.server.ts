import { and, count, eq, gt, inArray, lt, not, or, type SQL, sql, sum } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import type { Bucket } from "../files/rules.ts";
import { storedFiles } from "../files/tables.server.ts";
import type { StoredFile } from "../files/receive/admit-upload.server.ts";
import { orders } from "../payments/tables.server.ts";
import { day, now } from "../platform/clock.ts";
import type { Database } from "../platform/database.server.ts";
import { copies, hasCopy, isOriginalKept } from "./black-outs.server.ts";
import {
  handedBackDrafts,
  reviewDrafts,
  reviewFiles,
  reviewImages,
  reviewOrders,
  serviceReviews,
} from "./tables.server.ts";

/** The time after its start in which a payment can still be confirmed. */
const maxConfirmationTime = 30 * day;

const batch = 1000;

/**
 * Lists files older than this date that are in no draft, no review, no order that can still succeed, and no draft that a
 * reviewer handed back. The original of a blacked-out copy stays for 30 days after the review. It returns at most a
 * thousand, oldest first.
 */
export function listUnreferencedFiles(db: Database, olderThan: Date): Promise<StoredFile[]> {
  return selectUnreferenced(db, lt(storedFiles.createdAt, olderThan));
}

/**
 * Lists files without a reference that a person uploaded, or that their reviewers returned. It returns at most a thousand,
 * oldest first.
 */
export function listUnreferencedFilesOf(db: Database, userId: string): Promise<StoredFile[]> {
  const theirs = db
    .select({ id: serviceReviews.id })
    .from(serviceReviews)
    .where(eq(serviceReviews.userId, userId));
  return selectUnreferenced(
    db,
    or(eq(storedFiles.uploadedBy, userId), inArray(reviewOfPath, theirs)),
  );
}

function selectUnreferenced(db: Database, condition: SQL | undefined): Promise<StoredFile[]> {
  const isOrdered = (file: File) =>
    or(
      isFileAtPath(file, "resumes", sql`${reviewOrders.resumeFilePath}`),
      isFileAtPath(file, "portfolios", sql`${reviewOrders.portfolioFilePath}`),
    );
  const isRecent = gt(orders.createdAt, new Date(now().getTime() - maxConfirmationTime));
  return db
    .select()
    .from(storedFiles)
    .where(
      and(
        condition,
        hasNone(reviewDrafts, isInDraft(storedFiles)),
        hasNone(orderedReviews, and(isRecent, isOrdered(storedFiles))),
        hasNone(serviceReviews, isHandedIn(storedFiles)),
        hasNone(reviewImages, isImage),
        hasNone(reviewFiles, isFile),
        hasNone(handedBackDrafts, isHandedBack),
        not(
          hasCopy(
            db,
            or(
              hasSome(reviewDrafts, isInDraft(copies)),
              hasSome(orderedReviews, and(isRecent, isOrdered(copies))),
              hasSome(serviceReviews, and(isHandedIn(copies), isOriginalKept(db))),
            ),
          ),
        ),
      ),
    )
    .orderBy(storedFiles.createdAt)
    .limit(batch);
}

/** Counts a person's uploads that are not part of a review. Those in reviews were paid for. */
export async function countUnusedUploads(
  db: Database,
  uploaderId: string,
): Promise<{ files: number; bytes: number }> {
  const isInOwnReview = (file: File) =>
    and(eq(serviceReviews.userId, uploaderId), isHandedIn(file));
  const [unused] = await db
    .select({ files: count(), bytes: sum(storedFiles.size) })
    .from(storedFiles)
    .where(
      and(
        eq(storedFiles.uploadedBy, uploaderId),
        hasNone(serviceReviews, isInOwnReview(storedFiles)),
        not(hasCopy(db, hasSome(serviceReviews, isInOwnReview(copies)))),
        hasNone(reviewImages, isOwnImage),
        hasNone(reviewFiles, isOwnFile),
        hasNone(handedBackDrafts, isHandedBack),
      ),
    );
  return { files: unused?.files ?? 0, bytes: Number(unused?.bytes ?? 0) };
}

/**
 * Checks whether an upload is still attached: in a draft, also by its blacked-out copy, or by a reviewer. The files of a paid review do not
 * count, since they became part of the review.
 */
export async function isUploadAttached(db: Database, { id }: StoredFile): Promise<boolean> {
  const [file] = await db
    .select({ id: storedFiles.id })
    .from(storedFiles)
    .where(
      and(
        eq(storedFiles.id, id),
        or(
          hasSome(reviewDrafts, isInDraft(storedFiles)),
          hasCopy(db, hasSome(reviewDrafts, isInDraft(copies))),
          hasSome(reviewImages, isOwnImage),
          hasSome(reviewFiles, isOwnFile),
        ),
      ),
    );
  return file !== undefined;
}

/** A file, or the blacked-out copy of one. */
type File = typeof storedFiles | typeof copies;

const isInDraft = (file: File) =>
  or(eq(reviewDrafts.resumeFileId, file.id), eq(reviewDrafts.portfolioFileId, file.id));
const isHandedIn = (file: File) =>
  or(
    isFileAtPath(file, "resumes", sql`${serviceReviews.resumeFilePath}`),
    isFileAtPath(file, "portfolios", sql`${serviceReviews.portfolioFilePath}`),
  );
const isImage = matchesAddress(sql`${reviewImages.imageUrl}`);
const isFile = matchesAddress(sql`${reviewFiles.fileUrl}`);

/** The review id in a file's path, so that the database searches the images of one review instead of all. */
const reviewOfPath = sql`substring(${storedFiles.path} from '^reviews/([0-9a-f-]{36})/')::uuid`;
const isOwnImage = and(eq(reviewImages.reviewId, reviewOfPath), isImage);
const isOwnFile = and(eq(reviewFiles.reviewId, reviewOfPath), isFile);
const isHandedBack = and(
  eq(handedBackDrafts.reviewId, reviewOfPath),
  sql`${storedFiles.bucket} || '/' || ${storedFiles.path} = any(${handedBackDrafts.attachments})`,
);

const orderedReviews = sql`${reviewOrders} join ${orders} on ${eq(orders.orderId, reviewOrders.orderId)}`;

function hasNone(table: PgTable | SQL, condition: SQL | undefined): SQL {
  return not(hasSome(table, condition));
}

function hasSome(table: PgTable | SQL, condition: SQL | undefined): SQL {
  return sql`exists (select 1 from ${table} where ${condition})`;
}

function isFileAtPath(file: File, bucket: Bucket, path: SQL): SQL {
  return sql`(${file.bucket} = ${bucket} and ${file.path} = ${path})`;
}

/** True in SQL if an address, stored as bucket and path or as a link, is this file's. */
function matchesAddress(address: SQL): SQL {
  return sql`regexp_replace(${address}, '^/storage/', '') = ${storedFiles.bucket} || '/' || ${storedFiles.path}`;
}
