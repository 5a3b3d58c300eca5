import * as fs from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";
import { FileStore } from "@tus/file-store";
import type { DataStore } from "@tus/server";
import type { Config } from "../../platform/config.server.ts";

/**
 * The store for unfinished uploads. The key `<user id>/<upload id>` makes other people's files impossible to find.
 */
export type Partials = {
  /** The tus server's store, which also tracks the progress of each upload. */
  tus: DataStore;
  /** Counts a person's unfinished uploads with activity since then. */
  countOpen(uploaderId: string, touchedSince: Date): Promise<number>;
  /** Adds up the declared sizes of a person's unfinished uploads, in bytes. */
  declaredBytes(uploaderId: string): Promise<number>;
  /** Runs work with a complete upload, as a local file that may be changed. */
  withFile<Result>(key: string, work: (path: string) => Promise<Result>): Promise<Result>;
  /** Runs work with the path for a new local file, which is deleted afterwards. */
  withRoom<Result>(
    key: string,
    bytes: number,
    work: (path: string) => Promise<Result>,
  ): Promise<Result>;
  /** Deletes files without activity since then. @returns the number of deleted files */
  removeStale(before: Date): Promise<number>;
};

/**
 * Frees the memory of a chunk immediately. The garbage collector would let twenty uploads take a hundred megabytes. A
 * small chunk may share its memory with others, so it is left alone.
 */
export function release({ buffer, byteLength }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}

/**
 * The supported tus extensions. Uploads with a deferred length or in several parts couldn't be checked in advance.
 */
export const tusExtensions = ["creation", "creation-with-upload", "termination"];

export function getUploadsFolder({ dataDir }: Pick<Config, "dataDir">): string {
  return join(dataDir, "uploads");
}

/**
 * Stores unfinished uploads on the local disk, in `<folder>/<user id>/<upload id>`, with their declarations in
 * `<upload id>.json`.
 */
export function createDiskPartials(folder: string): Partials {
  return {
    tus: new PartialStore(folder),
    countOpen: (uploaderId, touchedSince) =>
      countOpenUploads(join(folder, uploaderId), touchedSince),
    declaredBytes: (uploaderId) => readDeclaredBytes(join(folder, uploaderId)),
    withFile: (key, work) => work(join(folder, key)),
    async withRoom(key, _bytes, work) {
      const path = join(folder, key);
      await fs.mkdir(dirname(path), { recursive: true });
      return work(path).finally(() => fs.rm(path, { force: true }));
    },
    removeStale: (before) => removeStalePartials(folder, before),
  };
}

async function countOpenUploads(own: string, touchedSince: Date): Promise<number> {
  let count = 0;
  for (const name of await listNamesIn(own)) {
    if (name.endsWith(".json")) continue;
    const facts = await fs.stat(join(own, name)).catch(() => null);
    if (facts && facts.mtime >= touchedSince) count++;
  }
  return count;
}

async function readDeclaredBytes(own: string): Promise<number> {
  let bytes = 0;
  for (const name of await listNamesIn(own)) {
    if (!name.endsWith(".json")) continue;
    const declared = await fs.readFile(join(own, name), "utf8").catch(() => "{}");
    bytes += (JSON.parse(declared || "{}") as { size?: number }).size ?? 0;
  }
  return bytes;
}

async function removeStalePartials(folder: string, before: Date): Promise<number> {
  let removed = 0;
  for (const uploaderId of await listNamesIn(folder)) {
    const own = join(folder, uploaderId);
    for (const name of await listNamesIn(own)) {
      const facts = await fs.stat(join(own, name)).catch(() => null);
      if (!facts || facts.mtime >= before) continue;
      await fs.rm(join(own, name), { force: true });
      removed++;
    }
    // Fails if the folder isn't empty.
    await fs.rmdir(own).catch(() => {});
  }
  return removed;
}

async function listNamesIn(folder: string): Promise<string[]> {
  try {
    return await fs.readdir(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return [];
    throw error;
  }
}

/** Writes one chunk at a time. */
class PartialStore extends FileStore {
  constructor(folder: string) {
    super({ directory: folder });
    this.extensions = tusExtensions;
    this.#folder = folder;
  }

  readonly #folder: string;

  /**
   * Appends chunks at `offset`, and returns the end. On a full disk it still reads to the end, since browsers read the
   * answer only after sending everything.
   */
  override async write(chunks: Readable, key: string, offset: number): Promise<number> {
    const file = await fs.open(join(this.#folder, key), "r+");
    let end = offset;
    let failure: unknown = null;
    try {
      for await (const chunk of chunks as AsyncIterable<Buffer>) {
        if (failure === null)
          await writeWhole(file, chunk, end).catch((error: unknown) => (failure = error));
        end += chunk.length;
        release(chunk);
      }
      if (failure !== null) throw failure;
      return end;
    } finally {
      await file.close();
    }
  }
}

async function writeWhole(file: fs.FileHandle, chunk: Buffer, position: number): Promise<void> {
  for (let done = 0; done < chunk.length;) {
    const { bytesWritten } = await file.write(chunk, done, chunk.length - done, position + done);
    done += bytesWritten;
  }
}
