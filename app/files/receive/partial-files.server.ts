import * as fs from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { FileStore } from "@tus/file-store";
import type { Config } from "../../platform/config.server.ts";

/**
 * Files that are still arriving lie in one folder a person, `<folder>/<user id>/<upload id>`, with
 * what was declared of them beside them in `<upload id>.json`.
 */

/** Where files lie while they arrive. */
export function uploadsFolder({ dataDir }: Pick<Config, "dataDir">): string {
  return join(dataDir, "uploads");
}

/** How many uploads a person has begun and not finished, leaving out those untouched since then. */
export async function countOpenUploads(
  folder: string,
  uploaderId: string,
  touchedSince: Date,
): Promise<number> {
  let count = 0;
  for (const name of await namesIn(join(folder, uploaderId))) {
    if (name.endsWith(".json")) continue;
    const facts = await fs.stat(join(folder, uploaderId, name)).catch(() => null);
    if (facts && facts.mtime >= touchedSince) count++;
  }
  return count;
}

/** How many bytes a person's unfinished uploads will have when they are whole. */
export async function declaredBytes(folder: string, uploaderId: string): Promise<number> {
  let bytes = 0;
  for (const name of await namesIn(join(folder, uploaderId))) {
    if (!name.endsWith(".json")) continue;
    const declared = await fs.readFile(join(folder, uploaderId, name), "utf8").catch(() => "{}");
    bytes += (JSON.parse(declared || "{}") as { size?: number }).size ?? 0;
  }
  return bytes;
}

/** Removes what nobody has touched since then, and tells how many files that were. */
export async function removeStalePartials(folder: string, before: Date): Promise<number> {
  let removed = 0;
  for (const uploaderId of await namesIn(folder)) {
    const own = join(folder, uploaderId);
    for (const name of await namesIn(own)) {
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

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await fs.readdir(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return [];
    throw error;
  }
}

/**
 * Where files lie while they arrive. It writes a chunk at a time, and gives its memory back at once: left
 * to the garbage collector, what twenty files have brought is a hundred megabytes before it looks.
 */
export class PartialStore extends FileStore {
  constructor(folder: string) {
    super({ directory: folder });
    // Of a length that is told later, or of several parts, nothing could be checked beforehand.
    this.extensions = ["creation", "creation-with-upload", "termination"];
    this.#folder = folder;
  }

  readonly #folder: string;

  /** Writes what comes behind `offset`, and says where it ends. */
  override async write(chunks: Readable, key: string, offset: number): Promise<number> {
    const file = await fs.open(join(this.#folder, key), "r+");
    let end = offset;
    try {
      for await (const chunk of chunks as AsyncIterable<Buffer>) {
        await writeWhole(file, chunk, end);
        end += chunk.length;
        release(chunk);
      }
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

/** Only what is all of its memory: a small chunk may be a part of what others use. */
function release({ buffer, byteLength }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
