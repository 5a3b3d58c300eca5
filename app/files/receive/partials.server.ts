import * as fs from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";
import { FileStore } from "@tus/file-store";
import type { DataStore } from "@tus/server";
import type { Config } from "../../platform/config.server.ts";

/**
 * The store for files under way, each under its key `<user id>/<upload id>`. Other people's files are not
 * found, whatever the id.
 */
export type Partials = {
  /** The tus server's store, which also knows how far each upload has come. */
  tus: DataStore;
  /** Counts a person's unfinished uploads that were touched since then. */
  countOpen(uploaderId: string, touchedSince: Date): Promise<number>;
  /** Adds up the declared sizes of a person's unfinished uploads, in bytes. */
  declaredBytes(uploaderId: string): Promise<number>;
  /** Does work with an upload that is whole, as a local file that may be changed. */
  withFile<Result>(key: string, work: (path: string) => Promise<Result>): Promise<Result>;
  /** Does work with the path of a local file that is not there yet, and is gone afterwards. */
  withRoom<Result>(
    key: string,
    bytes: number,
    work: (path: string) => Promise<Result>,
  ): Promise<Result>;
  /** Deletes files that were not touched since then. @returns how many */
  removeStale(before: Date): Promise<number>;
};

/**
 * Gives the memory of a chunk back at once: left to the garbage collector, what twenty files have brought is
 * a hundred megabytes before it looks. Only what is all of its memory: a small chunk may be a part of what
 * others use.
 */
export function release({ buffer, byteLength }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}

/**
 * The tus extensions that we support. A length that is declared later, or an upload in several parts, could not
 * be checked in advance.
 */
export const tusExtensions = ["creation", "creation-with-upload", "termination"];

/** Returns the folder for files under way. */
export function getUploadsFolder({ dataDir }: Pick<Config, "dataDir">): string {
  return join(dataDir, "uploads");
}

/**
 * Files that are still arriving in one folder a person, `<folder>/<user id>/<upload id>`, with what was
 * declared of them beside them in `<upload id>.json`.
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
    // Fails while something is left in it.
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

/** Writes a chunk at a time. */
class PartialStore extends FileStore {
  constructor(folder: string) {
    super({ directory: folder });
    this.extensions = tusExtensions;
    this.#folder = folder;
  }

  readonly #folder: string;

  /**
   * Writes what comes behind `offset`, and says where it ends. On a full disk it reads on to the end: a browser
   * hears the answer only once it has sent all.
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
