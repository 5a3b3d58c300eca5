import { and, eq, exists, ne, not, or, type SQL, sql } from "drizzle-orm";
import type { Actor } from "../accounts/actor.server.ts";
import { hasOpenAccount } from "../accounts/sealed-accounts.server.ts";
import type { Bucket } from "../files/rules.ts";
import type { ServedFile } from "../files/serve-file.server.ts";
import { storedFiles } from "../files/tables.server.ts";
import type { Database } from "../platform/database.server.ts";
import { toStoredAddress } from "./addresses.ts";
import { hasCopy } from "./black-outs.server.ts";
import {
  handedBackDrafts,
  reviewAssignments,
  reviewFiles,
  reviewImages,
  serviceReviews,
} from "./tables.server.ts";

type Reader = Pick<Actor, "id" | "isGodAdmin" | "isReviewer">;

/**
 * Finds a stored file for a reader with access. Submitted files are readable by their customer, the review's reviewer,
 * the reviewers of its second looks and god admins, unless its customer closed the account. So are the reviewer's files,
 * but for the customer only once the review is completed. Those of a reviewer who handed the review back are readable by
 * god admins, and by the present reviewer unless the former one knows the customer. The original of a blacked-out copy is
 * its customer's alone.
 *
 * @param alsoReviews SQL for other reviews whose files the reader, a reviewer, can read
 * @returns null for any other person or an unknown path
 */
export async function findReadableFile(
  db: Database,
  reader: Reader,
  bucket: Bucket,
  path: string,
  alsoReviews?: SQL,
): Promise<ServedFile | null> {
  const isInAnyReview = hasMatchingReview(db, isFileInReview(db, bucket, path));
  const [file] = await db
    .select({
      bucket: storedFiles.bucket,
      path: storedFiles.path,
      mimeType: storedFiles.mimeType,
      originalName: storedFiles.originalName,
      size: storedFiles.size,
      showable: storedFiles.showable,
    })
    .from(storedFiles)
    .where(
      and(
        eq(storedFiles.bucket, bucket),
        eq(storedFiles.path, path),
        not(isOfClosedAccount(db, bucket, path)),
        reader.isGodAdmin
          ? or(not(hasCopy(db)), isReadableBy(db, reader, bucket, path, alsoReviews), isInAnyReview)
          : isReadableBy(db, reader, bucket, path, alsoReviews),
      ),
    );
  return file ?? null;
}

/**
 * Checks whether a person can read a stored file and its derived files, by the rules of `findReadableFile`.
 */
export async function canReadFile(
  db: Database,
  reader: Reader,
  fileId: string,
  alsoReviews?: SQL,
): Promise<boolean> {
  const [file] = await db
    .select({ bucket: storedFiles.bucket, path: storedFiles.path })
    .from(storedFiles)
    .where(eq(storedFiles.id, fileId));
  if (!file) return false;
  return (await findReadableFile(db, reader, file.bucket, file.path, alsoReviews)) !== null;
}

/** True in SQL for the actor's own completed review, whose feedback they can read. */
export function isOwnCompletedReview(actor: { id: string }): SQL | undefined {
  return and(eq(serviceReviews.userId, actor.id), eq(serviceReviews.status, "completed"));
}

/** True in SQL for files that a closed account handed in or got. */
function isOfClosedAccount(db: Database, bucket: Bucket, path: string): SQL {
  const isTheirs = not(hasOpenAccount(serviceReviews.userId));
  return sql`(${not(hasOpenAccount(storedFiles.uploadedBy))}
    or ${hasMatchingReview(db, and(isFileInReview(db, bucket, path), isTheirs))}
    or ${hasMatchingReview(db, and(isHandedBackFile(db, { bucket, path }), isTheirs))})`;
}

function isReadableBy(
  db: Database,
  reader: Reader,
  bucket: Bucket,
  path: string,
  alsoReviews: SQL | undefined,
): SQL | undefined {
  const handedIn = bucket === "resumes" || bucket === "portfolios";
  const holdsFile = isFileInReview(db, bucket, path);
  const isOwn = handedIn ? eq(serviceReviews.userId, reader.id) : isOwnCompletedReview(reader);
  return or(
    // Includes drafts and unpaid orders, which only contain their owner's uploads.
    handedIn ? eq(storedFiles.uploadedBy, reader.id) : undefined,
    hasMatchingReview(db, and(isOwn, holdsFile)),
    reader.isReviewer
      ? hasMatchingReview(
          db,
          and(or(isAssignedTo(db, reader), isLookedAtBy(reader), alsoReviews), holdsFile),
        )
      : undefined,
    reader.isReviewer
      ? hasMatchingReview(
          db,
          and(
            isAssignedTo(db, reader),
            isHandedBackFile(db, { bucket, path }, ne(handedBackDrafts.reason, "knows_author")),
          ),
        )
      : undefined,
  );
}

function hasMatchingReview(db: Database, condition: SQL | undefined): SQL {
  return exists(
    db
      .select({ one: sql`1` })
      .from(serviceReviews)
      .where(condition),
  );
}

/** True in SQL for a review that is assigned to the reader. */
export function isAssignedTo(db: Database, reader: { id: string }): SQL {
  return exists(
    db
      .select({ one: sql`1` })
      .from(reviewAssignments)
      .where(
        and(
          eq(reviewAssignments.reviewId, serviceReviews.id),
          eq(reviewAssignments.reviewerId, reader.id),
        ),
      ),
  );
}

/**
 * True in SQL for a review whose second look is assigned to the reader, or the second look of that one, and so on:
 * remarks that stay open are carried from look to look.
 */
function isLookedAtBy(reader: { id: string }): SQL {
  return sql`exists (
    with recursive looks (id) as (
      select look.id from ${serviceReviews} as look where look.second_look_of = ${serviceReviews.id}
      union
      select look.id from ${serviceReviews} as look join looks on look.second_look_of = looks.id
    )
    select 1 from looks
    join ${reviewAssignments} as assignment on assignment.review_id = looks.id
    where assignment.reviewer_id = ${reader.id})`;
}

/** True in SQL if the file is in a draft that a reviewer of the review handed back. */
function isHandedBackFile(
  db: Database,
  file: { bucket: Bucket; path: string },
  condition?: SQL,
): SQL {
  if (file.bucket === "resumes" || file.bucket === "portfolios") return sql`false`;
  return exists(
    db
      .select({ one: sql`1` })
      .from(handedBackDrafts)
      .where(
        and(
          eq(handedBackDrafts.reviewId, serviceReviews.id),
          sql`${toStoredAddress(file)} = any(${handedBackDrafts.attachments})`,
          condition,
        ),
      ),
  );
}

/** True in SQL if the file is part of the review. */
function isFileInReview(db: Database, bucket: Bucket, path: string): SQL {
  if (bucket === "resumes") return eq(serviceReviews.resumeFilePath, path);
  if (bucket === "portfolios") return eq(serviceReviews.portfolioFilePath, path);
  const [table, column] =
    bucket === "review-images"
      ? [reviewImages, reviewImages.imageUrl]
      : [reviewFiles, reviewFiles.fileUrl];
  return exists(
    db
      .select({ one: sql`1` })
      .from(table)
      .where(
        and(eq(table.reviewId, serviceReviews.id), eq(column, toStoredAddress({ bucket, path }))),
      ),
  );
}
