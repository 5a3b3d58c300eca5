import { stat } from "node:fs/promises";
import { and, eq, sql } from "drizzle-orm";
import { now } from "../../platform/clock.ts";
import type { Database } from "../../platform/database.server.ts";
import { isExpected } from "../../platform/errors.ts";
import { checkContent } from "../inspect/check-content.server.ts";
import { removeLocationData } from "../inspect/location-data.server.ts";
import { listCustomerPaths, createReviewFilePath, createReviewImagePath } from "../names.server.ts";
import { downloadName, findSizeProblem, uploadRules } from "../rules.ts";
import { saveUnderFreePath } from "../store.server.ts";
import { storedFiles } from "../tables.server.ts";
import {
  toRefusal,
  checkHeld,
  RefusedUpload,
  type StoredFile,
  type Upload,
  type UploadParts,
} from "./admit-upload.server.ts";

/** A complete upload. Its id becomes the stored file's id. */
type ArrivedFile = { id: string; path: string };

/**
 * Stores a complete upload if its size, content and target allow it, then records and attaches it in one transaction.
 * Calling this again returns the same file. A crash leaves at most an object without a row, which the sweep deletes.
 *
 * @throws {RefusedUpload}
 */
export async function finishUpload(
  parts: UploadParts,
  uploaderId: string,
  upload: Upload,
  arrived: ArrivedFile,
): Promise<StoredFile> {
  const { store, rules, documents } = parts;
  const { db } = parts.app;
  const { purpose, name } = upload;
  const finished = await findFinished(db, uploaderId, arrived.id);
  if (finished) return finished;

  const { size } = await stat(arrived.path);
  const tooLarge = findSizeProblem(purpose, size);
  if (tooLarge) throw new RefusedUpload(tooLarge);
  const content = await checkContent(purpose, arrived.path, name, (job) =>
    documents.inspect(job, uploaderId),
  );
  if (!content.ok) throw new RefusedUpload(content);
  const { mimeType, extension, showable } = content;
  await removeLocationData(arrived.path, extension, content.end);

  const { bucket } = uploadRules[purpose];
  let path: string | null = null;
  try {
    await rules[purpose].admit(db, uploaderId, upload);
    const originalName = downloadName(purpose, name, extension);
    const paths = listPathsFor(uploaderId, { ...upload, name: originalName }, extension);
    path = await saveUnderFreePath(store, bucket, paths, arrived.path);
    const facts = { bucket, path, size, mimeType, showable, originalName };
    const file = await db.transaction(async (tx) => {
      const [recorded] = await tx
        .insert(storedFiles)
        .values({
          ...facts,
          id: arrived.id,
          uploadedBy: uploaderId,
          createdAt: now(),
        })
        .onConflictDoNothing({ target: storedFiles.id })
        .returning();
      if (!recorded) return null;
      await rules[purpose].attach(tx, uploaderId, upload, recorded);
      // Without this lock, two concurrent uploads wouldn't count each other.
      await tx.execute(
        sql`select pg_advisory_xact_lock(hashtextextended(${`uploads:${uploaderId}`}, 0))`,
      );
      await checkHeld(parts, tx, uploaderId, upload, { files: 0, bytes: 0 });
      return recorded;
    });
    if (file) return file;
  } catch (error) {
    // After any other error the transaction may still have been committed.
    if (path && isExpected(error)) await store.delete(bucket, path);
    throw toRefusal(error, purpose);
  }
  await store.delete(bucket, path);
  const first = await findFinished(db, uploaderId, arrived.id);
  if (!first) throw new Error(`Upload ${arrived.id} was recorded by another person.`);
  return first;
}

/** Returns the stored file of a person's finished upload, or null. */
export async function findFinished(
  db: Database,
  uploaderId: string,
  uploadId: string,
): Promise<StoredFile | null> {
  const [file] = await db
    .select()
    .from(storedFiles)
    .where(and(eq(storedFiles.id, uploadId), eq(storedFiles.uploadedBy, uploaderId)));
  return file ?? null;
}

function listPathsFor(
  uploaderId: string,
  { purpose, target, name }: Upload,
  extension: string,
): Iterable<string> {
  if (purpose === "review-image") return [createReviewImagePath(target, name, extension)];
  if (purpose === "review-file") return [createReviewFilePath(target, name)];
  return listCustomerPaths(uploaderId, now(), extension);
}
