import { and, count, eq, inArray } from "drizzle-orm";
import { day, now } from "../../platform/clock.ts";
import type { Database } from "../../platform/database.server.ts";
import type { Task } from "../../platform/tasks.server.ts";
import type { Partials } from "../receive/partials.server.ts";
import { deletePictures, sweepPictures } from "../render/pictures.server.ts";
import { type Bucket, buckets } from "../rules.ts";
import type { FileStore } from "../store.server.ts";
import { listKnownIds, sweepStore } from "../sweep-store.server.ts";
import { storedFiles } from "../tables.server.ts";
import type { StoredFile } from "../receive/admit-upload.server.ts";

/** The services that the clean-up of files needs. */
type FileTaskParts = {
  store: FileStore;
  partials: Partials;
  /** Finds recorded files from before that date without a reference. Called until it finds none. */
  unreferencedFiles: (db: Database, olderThan: Date) => Promise<StoredFile[]>;
};

/** Uploads in progress are never older. */
const graceTime = day;

/** Creates the tasks that delete unfinished uploads and unreferenced files. */
export function createFileTasks({
  store,
  partials,
  unreferencedFiles,
}: FileTaskParts): Task<object>[] {
  const graceEnded = () => new Date(now().getTime() - graceTime);
  return [
    {
      name: "remove-stale-uploads",
      schedule: "23 * * * *",
      async run(_data, { log }) {
        const removed = await partials.removeStale(graceEnded());
        const unfinished = await store.deleteUnfinished(graceEnded());
        if (removed + unfinished > 0) log.info({ removed, unfinished }, "stale uploads removed");
      },
    },
    {
      name: "sweep-files",
      schedule: "41 21 * * *",
      async run(_data, { db, log }) {
        const files = await sweepFiles(db, store, () => unreferencedFiles(db, graceEnded()));
        const objects = await sweepObjects(db, store, graceEnded());
        const pictures = await sweepPictures(store, graceEnded(), (ids) =>
          listKnownIds(db, storedFiles.id, ids),
        );
        if (files + objects + pictures > 0) log.info({ files, objects, pictures }, "files swept");
      },
    },
  ];
}

/** Deletes unreferenced files. */
async function sweepFiles(db: Database, store: FileStore, find: () => Promise<StoredFile[]>) {
  let swept = 0;
  for (let files = await find(); files.length > 0; files = await find()) {
    for (const file of files) {
      await deleteStoredFile(db, store, file);
      swept++;
    }
  }
  return swept;
}

/** Deletes a file with the pictures of its pages. The row is deleted first, so that no row is without its file. */
export async function deleteStoredFile(
  db: Database,
  store: FileStore,
  { id, bucket, path }: StoredFile,
): Promise<void> {
  await db.delete(storedFiles).where(eq(storedFiles.id, id));
  await store.delete(bucket, path);
  await deletePictures(store, id);
}

/** Deletes objects without a row, which a crash may leave in the store. */
async function sweepObjects(db: Database, store: FileStore, before: Date): Promise<number> {
  const [recorded] = await db.select({ files: count() }).from(storedFiles);
  // A database without any file is probably the wrong one.
  if (!recorded || recorded.files === 0) return 0;
  let swept = 0;
  for (const bucket of buckets)
    swept += await sweepStore(store, {
      area: bucket,
      decide: ({ path, modifiedAt }) => (modifiedAt < before ? { key: path } : "keep"),
      listKnown: (paths) => listKnownPaths(db, bucket, paths),
    });
  return swept;
}

async function listKnownPaths(db: Database, bucket: Bucket, paths: string[]): Promise<Set<string>> {
  const rows = await db
    .select({ path: storedFiles.path })
    .from(storedFiles)
    .where(and(eq(storedFiles.bucket, bucket), inArray(storedFiles.path, paths)));
  return new Set(rows.map(({ path }) => path));
}
