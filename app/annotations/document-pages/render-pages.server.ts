import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream as WebStream } from "node:stream/web";
import { and, eq, lt, or, sql } from "drizzle-orm";
import { getPicturePath } from "../../files/render/pictures.server.ts";
import type { RenderedPage } from "../../files/render/render-file.server.ts";
import type { RenderProcess } from "../../files/render/render-process.server.ts";
import {
  missingPages,
  type Picture,
  getPictureName,
  type PictureWidth,
  pictureWidths,
  findRenderableKind,
  rendererVersion,
} from "../../files/render/rendering.ts";
import type { FileStore } from "../../files/store.server.ts";
import { storedFiles } from "../../files/tables.server.ts";
import { hour, minute, now, second } from "../../platform/clock.ts";
import type { Config } from "../../platform/config.server.ts";
import type { Database } from "../../platform/database.server.ts";
import type { Task } from "../../platform/tasks.server.ts";
import { type RenderPagesData, renderPagesTask } from "./pages.server.ts";
import { renderedFiles, reviewPages } from "../tables.server.ts";

/** The dependencies of rendering. */
type RenderParts = {
  config: Pick<Config, "dataDir">;
  store: FileStore;
  renderer: RenderProcess;
};

/** The limit of attempts: a file that needs more crashes its renderer. */
const maxAttempts = 5;
/** The limit of processes for one file, since a busy server can miss the deadline for an ordinary file. */
const maxTurns = 4;
/** A process without progress for this long has died, since a page takes less. */
const maxSilence = minute;

/**
 * Renders the pages of one file. Each page is saved immediately, and stays when a later one fails. After a
 * crash, rendering resumes with the next page.
 */
export function createRenderPagesTask(parts: RenderParts): Task<RenderPagesData> {
  return {
    ...renderPagesTask,
    retries: maxAttempts + 1,
    retryDelayMax: 10 * (minute / second),
    lostAfter: 4 * (minute / second),
    async run({ fileId }, { db }) {
      const attempts = await claimFile(db, fileId);
      // Another process is rendering it, or it is finished or deleted.
      if (attempts === null) return;
      if (attempts > maxAttempts) return finishRendering(db, fileId, missingPages.failed);
      const folder = await createWorkFolder(parts.config.dataDir);
      try {
        await finishRendering(db, fileId, await renderMissingPages(parts, db, fileId, folder));
      } catch (error) {
        await updateRendering(db, fileId, { state: "waiting" });
        throw error;
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  };
}

/**
 * Claims a file unless another process is working on it. @returns the number of attempts; null if it is not
 * free
 */
async function claimFile(db: Database, fileId: string): Promise<number | null> {
  const silentSince = new Date(now().getTime() - maxSilence);
  const isFree = or(
    eq(renderedFiles.state, "waiting"),
    and(eq(renderedFiles.state, "rendering"), lt(renderedFiles.touchedAt, silentSince)),
  );
  const [claimed] = await db
    .update(renderedFiles)
    .set({ state: "rendering", tries: sql`${renderedFiles.tries} + 1`, touchedAt: now() })
    .where(and(isCurrentRendering(fileId), isFree))
    .returning({ tries: renderedFiles.tries });
  return claimed?.tries ?? null;
}

/** Renders the missing pages. @returns a sentence about pages that failed; null if none did. */
async function renderMissingPages(
  { store, renderer }: RenderParts,
  db: Database,
  fileId: string,
  folder: string,
): Promise<string | null> {
  const [file] = await db.select().from(storedFiles).where(eq(storedFiles.id, fileId));
  const kind = file && findRenderableKind(file.mimeType);
  const content = kind && (await store.open(file.bucket, file.path));
  if (!content) return missingPages.failed;
  const path = join(folder, "file");
  await pipeline(Readable.fromWeb(content.stream as WebStream), createWriteStream(path));
  let saved = Promise.resolve();
  const save = (page: RenderedPage) => {
    saved = saved.then(() => savePage(db, store, fileId, folder, page));
    // The error is handled below; this avoids an unhandled rejection before that.
    saved.catch(() => {});
  };
  for (let turn = 1; ; turn++) {
    const after = await countPages(db, fileId);
    const job = { kind, path, folder, after };
    const missing = await renderer
      .render(job, file.uploadedBy ?? fileId, save)
      .finally(() => saved);
    const canContinue = missing === missingPages.slow && (await countPages(db, fileId)) > after;
    if (!canContinue || turn === maxTurns) return missing;
  }
}

function countPages(db: Database, fileId: string): Promise<number> {
  return db.$count(
    reviewPages,
    and(eq(reviewPages.fileId, fileId), eq(reviewPages.renderer, rendererVersion)),
  );
}

/** Saves a page: first its pictures, then the row that refers to them. */
async function savePage(
  db: Database,
  store: FileStore,
  fileId: string,
  folder: string,
  { number, of, width, height, bands, text }: RenderedPage,
): Promise<void> {
  const widths = Object.keys(pictureWidths) as PictureWidth[];
  const pictures = bands.flatMap((_, band) =>
    widths.map((name) => ({ fileId, page: number, band, width: name })),
  );
  await Promise.all(pictures.map((picture) => savePicture(store, folder, picture)));
  await db.transaction(async (tx) => {
    await updateRendering(tx, fileId, { pageCount: of });
    await tx
      .insert(reviewPages)
      .values({ fileId, renderer: rendererVersion, number, width, height, bands, text })
      .onConflictDoNothing();
  });
}

async function savePicture(store: FileStore, folder: string, picture: Picture): Promise<void> {
  const path = getPicturePath(picture);
  const file = join(folder, getPictureName(picture));
  // A picture left by a crash may be incomplete.
  if (!(await store.put("derived", path, file))) {
    await store.delete("derived", path);
    await store.put("derived", path, file);
  }
  await rm(file);
}

async function finishRendering(db: Database, fileId: string, problem: string | null) {
  await updateRendering(db, fileId, { state: problem ? "failed" : "done", problem });
}

async function updateRendering(
  db: Database,
  fileId: string,
  change: Partial<typeof renderedFiles.$inferInsert>,
): Promise<void> {
  await db
    .update(renderedFiles)
    .set({ ...change, touchedAt: now() })
    .where(isCurrentRendering(fileId));
}

function isCurrentRendering(fileId: string) {
  return and(eq(renderedFiles.fileId, fileId), eq(renderedFiles.renderer, rendererVersion));
}

/** Creates an empty work folder, and deletes folders left by crashes. */
export async function createWorkFolder(dataDir: string): Promise<string> {
  const above = resolve(dataDir, "rendering");
  await mkdir(above, { recursive: true, mode: 0o700 });
  for (const name of await readdir(above)) {
    const facts = await stat(join(above, name)).catch(() => null);
    if (facts && facts.mtimeMs < now().getTime() - hour)
      await rm(join(above, name), { recursive: true, force: true });
  }
  const folder = join(above, randomUUID());
  await mkdir(folder, { mode: 0o700 });
  return folder;
}

/** Deletes the rows of earlier renderers. The file sweep deletes their pictures. */
export async function deleteOutdatedPages(db: Database): Promise<number> {
  const { rowCount } = await db
    .delete(renderedFiles)
    .where(lt(renderedFiles.renderer, rendererVersion));
  return rowCount ?? 0;
}
