import { randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { and, asc, eq } from "drizzle-orm";
import { ensurePages } from "../../annotations/document-pages/pages.server.ts";
import { renderedFiles, reviewPages } from "../../annotations/tables.server.ts";
import { listCustomerPaths } from "../../files/names.server.ts";
import { getPicturePath } from "../../files/render/pictures.server.ts";
import { rendererVersion } from "../../files/render/rendering.ts";
import { mimeTypes, uploadRules } from "../../files/rules.ts";
import { type FileStore, saveUnderFreePath } from "../../files/store.server.ts";
import { storedFiles } from "../../files/tables.server.ts";
import { minute, now, second } from "../../platform/clock.ts";
import type { Database } from "../../platform/database.server.ts";
import type { Task } from "../../platform/tasks.server.ts";
import { blackOuts, reviewDrafts } from "../../reviews/tables.server.ts";
import { buildNextRevision } from "../buy/drafts.server.ts";
import {
  draftColumns,
  isCopyRequested,
  type MakeCopyData,
  makeCopyTask,
  toHandedIn,
} from "./black-outs.server.ts";
import { blackOutMessages as messages } from "./boxes.ts";
import { type CopiedPage, writeCopy } from "./write-copy.server.ts";

/** The limit of attempts: a copy that needs more ends its process. */
const maxAttempts = 5;

/**
 * Makes the blacked-out copy that a draft asks for, from the pictures of its pages, and puts it in the draft. Nothing
 * changes if the draft asks for another copy by then, so that a repeated or late run has no effect.
 */
export function createMakeCopyTask(store: FileStore): Task<MakeCopyData> {
  return {
    ...makeCopyTask,
    retries: maxAttempts + 1,
    retryDelayMax: minute / second,
    lostAfter: 5 * (minute / second),
    async run(request, { db }) {
      const work = await claimCopy(db, request);
      if (!work) return;
      if (work.attempts > maxAttempts) return updateProblem(db, request, messages.failed);
      const { file } = work;
      const { maxBytes } = uploadRules[request.part];
      const pages = await listCopiedPages(db, file.id);
      if (!pages) {
        await ensurePages(db, toHandedIn(request.part, file.path));
        throw new Error(`The pages of file ${file.id} are not rendered.`);
      }
      const open = (page: number, band: number) => getPicture(store, file.id, page, band);
      const bytes = await writeCopy(pages, work.boxes, open, maxBytes);
      if (!bytes) return updateProblem(db, request, messages.tooLarge);
      await saveCopy(db, store, request, { ...work, bytes });
    },
  };
}

type CopyWork = {
  userId: string;
  file: typeof storedFiles.$inferSelect;
  boxes: (typeof blackOuts.$inferSelect)["boxes"];
  attempts: number;
};

/** Counts an attempt. @returns the original and its boxes; null if the draft no longer asks for this copy */
async function claimCopy(db: Database, request: MakeCopyData): Promise<CopyWork | null> {
  const columns = draftColumns[request.part];
  return db.transaction(async (tx) => {
    const [row] = await tx
      .select({
        userId: reviewDrafts.userId,
        copy: reviewDrafts[columns.copy],
        file: storedFiles,
      })
      .from(reviewDrafts)
      .innerJoin(storedFiles, eq(storedFiles.id, reviewDrafts[columns.file]))
      .where(isCopyRequested(request))
      .for("update", { of: reviewDrafts });
    if (!row?.copy) return null;
    const { userId, file, copy } = row;
    const attempts = copy.attempts + 1;
    await tx
      .update(reviewDrafts)
      .set({ [columns.copy]: { ...copy, attempts } })
      .where(isCopyRequested(request));
    return { userId, file, boxes: copy.boxes, attempts };
  });
}

/** Records why a copy could not be made, until its boxes change. */
async function updateProblem(db: Database, request: MakeCopyData, problem: string): Promise<void> {
  const { copy } = draftColumns[request.part];
  await db.transaction(async (tx) => {
    const [draft] = await tx
      .select({ copy: reviewDrafts[copy] })
      .from(reviewDrafts)
      .where(isCopyRequested(request))
      .for("update");
    if (!draft?.copy) return;
    await tx
      .update(reviewDrafts)
      .set({ [copy]: { ...draft.copy, problem } })
      .where(isCopyRequested(request));
  });
}

/** Lists all pages of a file; null if some are not rendered. */
async function listCopiedPages(db: Database, fileId: string): Promise<CopiedPage[] | null> {
  const [file] = await db
    .select({ pageCount: renderedFiles.pageCount })
    .from(renderedFiles)
    .where(
      and(
        eq(renderedFiles.fileId, fileId),
        eq(renderedFiles.renderer, rendererVersion),
        eq(renderedFiles.state, "done"),
      ),
    );
  const pages = await db
    .select({
      number: reviewPages.number,
      width: reviewPages.width,
      height: reviewPages.height,
      bands: reviewPages.bands,
    })
    .from(reviewPages)
    .where(and(eq(reviewPages.fileId, fileId), eq(reviewPages.renderer, rendererVersion)))
    .orderBy(asc(reviewPages.number));
  return file && pages.length > 0 && pages.length === file.pageCount ? pages : null;
}

async function getPicture(store: FileStore, fileId: string, page: number, band: number) {
  const path = getPicturePath({ fileId, page, band, width: "large" });
  const picture = await store.open("derived", path);
  if (!picture) throw new Error(`Page ${page} of file ${fileId} has no picture.`);
  return Buffer.from(await new Response(picture.stream).arrayBuffer());
}

/** Stores a copy and puts it in the draft, in one transaction. Its name says nothing of the original. */
async function saveCopy(
  db: Database,
  store: FileStore,
  request: MakeCopyData,
  { userId, file, boxes, bytes }: CopyWork & { bytes: Uint8Array },
): Promise<void> {
  const path = await saveBytes(store, { bucket: file.bucket, userId, bytes });
  const isSaved = await db.transaction(async (tx) => {
    const columns = draftColumns[request.part];
    const [draft] = await tx
      .select({ id: reviewDrafts.id })
      .from(reviewDrafts)
      .where(and(isCopyRequested(request), eq(reviewDrafts[columns.file], file.id)))
      .for("update");
    if (!draft) return false;
    const [copy] = await tx
      .insert(storedFiles)
      .values({
        bucket: file.bucket,
        path,
        uploadedBy: userId,
        originalName: `${request.part}-blacked-out.pdf`,
        mimeType: mimeTypes.pdf,
        size: bytes.length,
        showable: true,
        createdAt: now(),
      })
      .returning({ id: storedFiles.id });
    await tx.insert(blackOuts).values({
      id: request.id,
      copyFileId: copy!.id,
      originalFileId: file.id,
      boxes,
      createdAt: now(),
    });
    await tx
      .update(reviewDrafts)
      .set({ [columns.file]: copy!.id, [columns.copy]: null, ...buildNextRevision(now()) })
      .where(eq(reviewDrafts.id, draft.id));
    // A rendering problem must not block the copy. Opening the draft starts the rendering again.
    await ensurePages(tx, toHandedIn(request.part, path)).catch(() => {});
    return true;
  });
  // After an error the transaction may have been committed, so the sweep decides.
  if (!isSaved) await store.delete(file.bucket, path);
}

async function saveBytes(
  store: FileStore,
  {
    bucket,
    userId,
    bytes,
  }: {
    bucket: (typeof storedFiles.$inferSelect)["bucket"];
    userId: string;
    bytes: Uint8Array;
  },
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "naksha-copy-"));
  try {
    const file = join(folder, randomUUID());
    await writeFile(file, bytes);
    return await saveUnderFreePath(store, bucket, listCustomerPaths(userId, now(), "pdf"), file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
