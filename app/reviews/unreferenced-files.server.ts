import { and, eq, gt, lt, or, type SQL, sql } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import type { Bucket } from "../files/rules.ts";
import { storedFiles } from "../files/tables.server.ts";
import type { StoredFile } from "../files/upload-rules.server.ts";
import { orders } from "../payments/tables.server.ts";
import { day, now } from "../platform/clock.ts";
import type { Database } from "../platform/database.server.ts";
import { reviewDrafts, reviewFiles, reviewImages, serviceReviews } from "./tables.server.ts";

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
    isIn("resumes", sql`${orders.purpose}->>'resumePath'`),
    isIn("portfolios", sql`${orders.purpose}->>'portfolioPath'`),
  );
  const begunLately = gt(orders.createdAt, new Date(now().getTime() - mayStillSucceed));
  return db
    .select()
    .from(storedFiles)
    .where(
      and(
        lt(storedFiles.createdAt, olderThan),
        none(reviewDrafts, isDraft),
        none(orders, and(begunLately, isOrdered)),
        none(serviceReviews, isIn("resumes", sql`${serviceReviews.resumeFilePath}`)),
        none(serviceReviews, isIn("portfolios", sql`${serviceReviews.portfolioFilePath}`)),
        none(reviewImages, isKeptAs(sql`${reviewImages.imageUrl}`)),
        none(reviewFiles, isKeptAs(sql`${reviewFiles.fileUrl}`)),
      ),
    )
    .orderBy(storedFiles.createdAt)
    .limit(batch);
}

function none(table: PgTable, condition: SQL | undefined): SQL {
  return sql`not exists (select 1 from ${table} where ${condition})`;
}

function isIn(bucket: Bucket, path: SQL): SQL {
  return sql`(${storedFiles.bucket} = ${bucket} and ${storedFiles.path} = ${path})`;
}

/** Whether it is the file of an address that is kept as bucket and path, or as a link. */
function isKeptAs(address: SQL): SQL {
  return sql`regexp_replace(${address}, '^/storage/', '') = ${storedFiles.bucket} || '/' || ${storedFiles.path}`;
}
