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
 * A folder holds any number of backups, one folder each, named by its moment:
 *
 *   2026-01-31T00-30-00-000Z/
 *     manifest.json      what it was made of, and by which version
 *     rows/*.copy.gz     the rows of one table each, as COPY writes them
 *     files.jsonl.gz     where each file belongs, and its checksum
 *     SHA256SUMS         of all of these and of the files; `sha256sum -c SHA256SUMS` reads it
 *   files/ab/ab…         the files of all backups, each named by its SHA-256
 *
 * What is not whole yet ends in ".part".
 */
export const manifestFile = "manifest.json";
export const filesFile = "files.jsonl.gz";
export const sumsFile = "SHA256SUMS";
export const unfinished = ".part";

export const format = 1;

export type Manifest = {
  format: typeof format;
  product: { version: string };
  /** The moment of the snapshot. */
  at: string;
  postgres: string;
  /** When each migration that the tables have was written, in milliseconds, the oldest first. */
  migrations: number[];
  withoutSessions: boolean;
  /** In an order in which they can be filled: what is referred to comes first. */
  tables: BackedUpTable[];
  files: { count: number; bytes: number };
  /** Files that a row names and the store did not have. */
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

/** The names of the whole backups in a folder, the oldest first. */
export async function listBackups(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => /^\d{4}-\d\d-\d\dT[\d-]+Z$/.test(name)).toSorted();
}

/** Removes what a backup that was cut off has left. */
export async function removeUnfinished(folder: string): Promise<void> {
  for (const inside of [folder, join(folder, "files")]) {
    const names = await readdir(inside).catch(() => []);
    for (const name of names.filter((name) => name.endsWith(unfinished)))
      await rm(join(inside, name), { recursive: true, force: true });
  }
}

/** Writes a stream into a file, down to the disk. @returns its size in bytes and its checksum. */
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

/** The checksum of a file; null when it is not there. */
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

/** The files of a backup, one after the other. */
export async function* listFiles(backup: string): AsyncGenerator<BackedUpFile> {
  const zipped = createReadStream(join(backup, filesFile));
  const unzipped = zipped.compose(createGunzip());
  for await (const line of createInterface({ input: unzipped }))
    yield JSON.parse(line) as BackedUpFile;
}

/** Does something with each thing, a few at the same time. */
export async function runForEach<T>(
  things: AsyncIterable<T> | Iterable<T>,
  work: (thing: T) => Promise<void>,
  atOnce = 4,
): Promise<void> {
  let underWay: Promise<void>[] = [];
  for await (const thing of things) {
    const one = work(thing);
    // It may fail while the next one is awaited; the error is handled below.
    one.catch(() => {});
    underWay.push(one);
    if (underWay.length < atOnce) continue;
    await Promise.all(underWay);
    underWay = [];
  }
  await Promise.all(underWay);
}
