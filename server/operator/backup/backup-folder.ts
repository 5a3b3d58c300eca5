import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import type { Bucket } from "../../../app/files/rules.ts";

/**
 * A folder contains any number of backups, one folder each, named by its time:
 *
 *   2026-01-31T00-30-00-000Z/
 *     manifest.json      its tables and migrations, and the version that wrote it
 *     rows/*.copy.gz     the rows of one table each, as COPY writes them
 *     files.jsonl.gz     the bucket, path and checksum of each file
 *     SHA256SUMS         the checksums of all these and the files; check it with `sha256sum -c SHA256SUMS`
 *   files/ab/ab…         the files of all backups, each named by its SHA-256
 *
 * An unfinished file or folder ends in ".part".
 */
export const manifestFile = "manifest.json";
export const filesFile = "files.jsonl.gz";
export const sumsFile = "SHA256SUMS";
export const unfinished = ".part";

export const format = 1;

export type Manifest = {
  format: typeof format;
  product: { version: string };
  /** The time of the snapshot. */
  at: string;
  postgres: string;
  /** The timestamps of the applied migrations in milliseconds, oldest first. */
  migrations: number[];
  withoutSessions: boolean;
  /** Referenced tables come first, so that they can be filled in this order. */
  tables: BackedUpTable[];
  files: { count: number; bytes: number };
  /** Files that a row refers to and that the store did not have. */
  missing: FilePlace[];
};

export type BackedUpTable = {
  schema: string;
  name: string;
  columns: string[];
  rows: number;
  file: string;
};

export type FilePlace = { bucket: Bucket; path: string };
/** `size` in bytes. */
export type BackedUpFile = FilePlace & { size: number; sha256: string };

/** Returns the path of a file with this checksum, relative to the folder of backups. */
export function getBlobPath(sha256: string): string {
  return join("files", sha256.slice(0, 2), sha256);
}

/** Lists the complete backups in a folder, oldest first. */
export async function listBackups(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => /^\d{4}-\d\d-\d\dT[\d-]+Z$/.test(name)).toSorted();
}

/** Removes the remains of interrupted backups. */
export async function removeUnfinished(folder: string): Promise<void> {
  for (const parent of [folder, join(folder, "files")]) {
    const names = await readdir(parent).catch(() => []);
    for (const name of names.filter((name) => name.endsWith(unfinished)))
      await rm(join(parent, name), { recursive: true, force: true });
  }
}

/** Writes a stream to a file and flushes it to disk. @returns its size in bytes and its checksum. */
export async function writeWithSum(
  source: Readable | NodeJS.ReadableStream,
  path: string,
): Promise<{ size: number; sha256: string }> {
  const hash = createHash("sha256");
  let size = 0;
  const measured = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      hash.update(chunk);
      size += chunk.length;
      yield chunk;
    }
  };
  await pipeline(source, measured, createWriteStream(path, { mode: 0o600, flush: true }));
  return { size, sha256: hash.digest("hex") };
}

/** Returns the checksum of a file; null if it does not exist. */
export function sumOf(path: string): Promise<string | null> {
  return sumOfStream(createReadStream(path)).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  });
}

export async function sumOfStream(stream: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of stream) hash.update(chunk);
  return hash.digest("hex");
}

/** Reads the list of a backup's files, one at a time. */
export async function* listFiles(backup: string): AsyncGenerator<BackedUpFile> {
  const zipped = createReadStream(join(backup, filesFile));
  const unzipped = zipped.compose(createGunzip());
  for await (const line of createInterface({ input: unzipped }))
    yield JSON.parse(line) as BackedUpFile;
}

/** Runs `work` for each item, a few at a time. */
export async function runForEach<T>(
  items: AsyncIterable<T> | Iterable<T>,
  work: (item: T) => Promise<void>,
  concurrency = 4,
): Promise<void> {
  let running: Promise<void>[] = [];
  for await (const item of items) {
    const promise = work(item);
    // It may fail while the next item is awaited; Promise.all below reports the error.
    promise.catch(() => {});
    running.push(promise);
    if (running.length < concurrency) continue;
    await Promise.all(running);
    running = [];
  }
  await Promise.all(running);
}
