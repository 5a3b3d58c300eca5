import * as fs from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";
import { FileStore } from "@tus/file-store";
import type { Config } from "../../platform/config.server.ts";
import { type Partials, release, tusExtensions } from "./partials.server.ts";

/** Where files lie while they arrive. */
export function uploadsFolder({ dataDir }: Pick<Config, "dataDir">): string {
  return join(dataDir, "uploads");
}

/**
 * Files that are still arriving in one folder a person, `<folder>/<user id>/<upload id>`, with what was
 * declared of them beside them in `<upload id>.json`.
 */
export function diskPartials(folder: string): Partials {
  return {
    tus: new PartialStore(folder),
    countOpen: (uploaderId, touchedSince) =>
      countOpenUploads(join(folder, uploaderId), touchedSince),
    declaredBytes: (uploaderId) => declaredBytes(join(folder, uploaderId)),
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
  for (const name of await namesIn(own)) {
    if (name.endsWith(".json")) continue;
    const facts = await fs.stat(join(own, name)).catch(() => null);
    if (facts && facts.mtime >= touchedSince) count++;
  }
  return count;
}

async function declaredBytes(own: string): Promise<number> {
  let bytes = 0;
  for (const name of await namesIn(own)) {
    if (!name.endsWith(".json")) continue;
    const declared = await fs.readFile(join(own, name), "utf8").catch(() => "{}");
    bytes += (JSON.parse(declared || "{}") as { size?: number }).size ?? 0;
  }
  return bytes;
}

async function removeStalePartials(folder: string, before: Date): Promise<number> {
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
