import { randomUUID } from "node:crypto";
import { constants, createReadStream } from "node:fs";
import * as fs from "node:fs/promises";
import { dirname, join } from "node:path";
import { ReadableStream as WebStream } from "node:stream/web";
import { getErrorCode } from "../platform/errors.ts";
import { isSafePath } from "./names.server.ts";
import { type Area, areas } from "./rules.ts";
import type { ByteRange, FileFacts, FileStore, OpenFile } from "./store.server.ts";

const unfinishedFolder = ".unfinished";

/** Stores files on the local disk, with one folder for each area. */
export function createDiskStore(root: string): FileStore {
  return {
    put: (area, path, sourceFilePath) => writeNewFile(root, area, path, sourceFilePath),
    open: (area, path, range) => open(root, area, path, range),
    stat: async (area, path) => {
      const file = await findFilePath(root, area, path);
      return file === null ? null : toFileFacts(await fs.stat(file));
    },
    delete: async (area, path) => {
      const file = await findFilePath(root, area, path);
      if (!file) return false;
      return fs.unlink(file).then(() => true, returnIfMissing(false));
    },
    list: (area, folder) =>
      folder === undefined
        ? listFilesIn(join(root, area), "")
        : listFilesIn(join(root, area, folder), `${folder}/`),
    deleteUnfinished: (before) => deleteUnfinished(root, before),
  };
}

async function writeNewFile(root: string, area: Area, path: string, sourceFilePath: string) {
  if (!isAddress(area, path)) throw new Error(`Not a path for a file: ${area}/${path}`);
  const target = await createFolders(root, area, path);
  const unfinished = join(root, unfinishedFolder, randomUUID());
  await fs.mkdir(dirname(unfinished), { recursive: true, mode: 0o700 });
  try {
    await fs.copyFile(sourceFilePath, unfinished, constants.COPYFILE_FICLONE);
    await syncToDisk(unfinished, "r+");
    if (!(await createEmptyFile(target))) return false;
    await fs.rename(unfinished, target);
  } finally {
    await fs.rm(unfinished, { force: true });
  }
  await syncToDisk(dirname(target), "r").catch(ignoreErrorOnWindows);
  return true;
}

/** Reserves the path with an empty file, so that only one of two concurrent calls succeeds. */
async function createEmptyFile(target: string): Promise<boolean> {
  try {
    await (await fs.open(target, "wx", 0o600)).close();
    return true;
  } catch (error) {
    if (getErrorCode(error) === "EEXIST") return false;
    throw error;
  }
}

async function open(
  root: string,
  area: Area,
  path: string,
  range?: ByteRange,
): Promise<OpenFile | null> {
  const file = await findFilePath(root, area, path);
  if (!file) return null;
  const stat = await fs.stat(file).catch(returnIfMissing(null));
  if (!stat) return null;
  const { size, modifiedAt } = toFileFacts(stat);
  const start = range?.start ?? 0;
  const end = Math.min(range?.end ?? size - 1, size - 1);
  if (start > end) {
    if (range) throw new RangeError(`No bytes ${range.start}-${range.end} in ${size}.`);
    return { stream: new Blob([]).stream(), size, modifiedAt, start, end };
  }
  const stream = WebStream.from(readBytes(file, start, end));
  return { stream: stream as ReadableStream<Uint8Array>, size, modifiedAt, start, end };
}

/**
 * Opens the file at the first read and closes it at the last, or when the reader stops early. Opened sooner, it would
 * stay open if the client disconnects, and Node ends a process that leaks a file handle.
 */
async function* readBytes(path: string, start: number, end: number): AsyncGenerator<Uint8Array> {
  yield* createReadStream(path, { start, end });
}

/** Returns the absolute path of a stored file, or null if it is missing or behind a link. */
async function findFilePath(root: string, area: Area, path: string): Promise<string | null> {
  if (!isAddress(area, path)) return null;
  const folder = await fs.realpath(root).catch(returnIfMissing(null));
  if (!folder) return null;
  const expected = join(folder, area, ...path.split("/"));
  const actual = await fs.realpath(expected).catch(returnIfMissing(null));
  if (actual !== expected) return null;
  return (await fs.stat(expected).catch(returnIfMissing(null)))?.isFile() ? expected : null;
}

/** Creates the folders of a path one by one, so that links are not followed. */
async function createFolders(root: string, area: Area, path: string): Promise<string> {
  await fs.mkdir(root, { recursive: true, mode: 0o700 });
  const segments = [area, ...path.split("/")];
  const name = segments.pop()!;
  let folder = await fs.realpath(root);
  for (const segment of segments) {
    folder = join(folder, segment);
    await fs.mkdir(folder, { mode: 0o700 }).catch(async (error: unknown) => {
      if (getErrorCode(error) !== "EEXIST") throw error;
      if (!(await fs.lstat(folder)).isDirectory()) throw new Error(`Not a folder: ${folder}`);
    });
  }
  return join(folder, name);
}

async function* listFilesIn(
  folder: string,
  prefix: string,
): AsyncGenerator<FileFacts & { path: string }> {
  const entries = await fs.opendir(folder).catch(returnIfMissing(null));
  if (!entries) return;
  for await (const entry of entries) {
    const path = prefix + entry.name;
    if (entry.isDirectory()) yield* listFilesIn(join(folder, entry.name), `${path}/`);
    if (!entry.isFile()) continue;
    const stat = await fs.stat(join(folder, entry.name)).catch(returnIfMissing(null));
    if (stat) yield { path, ...toFileFacts(stat) };
  }
}

async function deleteUnfinished(root: string, before: Date): Promise<number> {
  let deleted = 0;
  for await (const { path, modifiedAt } of listFilesIn(join(root, unfinishedFolder), "")) {
    if (modifiedAt >= before) continue;
    await fs.rm(join(root, unfinishedFolder, path), { force: true });
    deleted++;
  }
  return deleted;
}

function toFileFacts(stats: { size: number; mtime: Date }): FileFacts {
  return { size: stats.size, modifiedAt: stats.mtime };
}

function isAddress(area: string, path: string): boolean {
  return (areas as readonly string[]).includes(area) && isSafePath(path);
}

/** Flushes a file or a folder to the disk. */
async function syncToDisk(path: string, mode: "r" | "r+"): Promise<void> {
  const file = await fs.open(path, mode);
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Windows can't flush a folder. */
function ignoreErrorOnWindows(error: unknown): void {
  if (process.platform !== "win32") throw error;
}

/** Returns a value instead of the errors for a missing file. */
function returnIfMissing<Value>(value: Value): (error: unknown) => Value {
  return (error) => {
    if (["ENOENT", "ENOTDIR", "ELOOP"].includes(getErrorCode(error) ?? "")) return value;
    throw error;
  };
}
