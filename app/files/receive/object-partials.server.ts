import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, open, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { DataStore, ERRORS, Upload } from "@tus/server";
import type { Objects } from "../s3-store.server.ts";
import { type Partials, release, tusExtensions } from "./partials.server.ts";

/**
 * Stores unfinished uploads as objects, so that any process can handle their requests:
 * `uploads/<user id>/<upload id>/declared.json`, and parts named by the position of their first byte. Parts are written
 * atomically and never change.
 */
export function createObjectPartials(objects: Objects, spool: Spool): Partials {
  const tus = new PartStore(objects, spool);
  return {
    tus,
    async countOpen(uploaderId, touchedSince) {
      const uploads = await listUploadsBelow(objects, `${prefix}${uploaderId}/`);
      return uploads.filter((upload) => upload.touchedAt >= touchedSince).length;
    },
    async declaredBytes(uploaderId) {
      const uploads = await listUploadsBelow(objects, `${prefix}${uploaderId}/`);
      const declared = await Promise.all(uploads.map(({ key }) => readDeclared(objects, key)));
      return declared.reduce((bytes, upload) => bytes + (upload?.size ?? 0), 0);
    },
    async withFile(key, work) {
      const { size, offset } = await tus.getUpload(key);
      if (offset !== size) throw ERRORS.FILE_NOT_FOUND;
      return spool.use(size, async (path) => {
        await download(objects, await listParts(objects, key), path);
        return work(path);
      });
    },
    withRoom: (_key, bytes, work) => spool.use(bytes, work),
    async removeStale(before) {
      let removed = 0;
      for (const upload of await listUploadsBelow(objects, prefix)) {
        if (upload.touchedAt >= before) continue;
        for await (const { key } of objects.list(`${prefix}${upload.key}/`)) {
          await objects.delete(key);
          removed++;
        }
      }
      return removed;
    },
  };
}

const prefix = "uploads/";
/** The chunk size of our own pages. Longer requests become several parts. */
const partBytes = 5 * 1_048_576;

/** The store interface of the tus server. */
class PartStore extends DataStore {
  readonly #objects: Objects;
  readonly #spool: Spool;

  constructor(objects: Objects, spool: Spool) {
    super();
    this.extensions = tusExtensions;
    this.#objects = objects;
    this.#spool = spool;
  }

  override async create(upload: Upload): Promise<Upload> {
    upload.creation_date = new Date().toISOString();
    await this.#objects.put(getDeclarationKey(upload.id), JSON.stringify(upload));
    return upload;
  }

  override async getUpload(key: string): Promise<Upload> {
    const [declared, parts] = await Promise.all([
      readDeclared(this.#objects, key),
      listParts(this.#objects, key),
    ]);
    if (!declared) throw ERRORS.FILE_NOT_FOUND;
    return new Upload({ ...declared, id: key, offset: getPartsEnd(parts) });
  }

  /** Appends content at `offset`, even of an interrupted request, and returns the end. */
  override async write(content: Readable, key: string, offset: number): Promise<number> {
    const incoming = content[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    let end = offset;
    let part: Part;
    do {
      part = await this.#spool.use(partBytes, async (path) => {
        const spooled = await readPart(path, incoming);
        if (spooled.bytes > 0) await this.#objects.put(getPartKey(key, end), { path });
        return spooled;
      });
      end += part.bytes;
    } while (!part.isLast);
    if (!part.error) return end;
    // Browsers read the answer only after sending everything.
    await readToEnd(incoming).catch(() => {});
    throw part.error;
  }

  override async remove(key: string): Promise<void> {
    if (!(await this.#objects.head(getDeclarationKey(key)))) throw ERRORS.FILE_NOT_FOUND;
    await this.#objects.delete(getDeclarationKey(key));
    for await (const object of this.#objects.list(`${prefix}${key}/`))
      await this.#objects.delete(object.key);
  }
}

async function readToEnd(incoming: AsyncIterator<Buffer>): Promise<void> {
  for (;;) {
    const { value: chunk, done } = await incoming.next();
    if (done) return;
    release(chunk);
  }
}

type Part = { bytes: number; isLast: boolean; error?: Error };

/** Writes incoming chunks to a file, up to the size of a part. */
async function readPart(path: string, incoming: AsyncIterator<Buffer>): Promise<Part> {
  const file = await open(path, "wx", 0o600);
  let bytes = 0;
  try {
    while (bytes < partBytes) {
      const { value: chunk, done } = await incoming.next();
      if (done) return { bytes, isLast: true };
      await file.writeFile(chunk);
      bytes += chunk.length;
      release(chunk);
    }
    return { bytes, isLast: false };
  } catch (error) {
    return { bytes, isLast: true, error: error as Error };
  } finally {
    await file.close();
  }
}

type Declared = Pick<Upload, "size" | "metadata" | "creation_date">;

async function readDeclared(objects: Objects, key: string): Promise<Declared | null> {
  const declaration = await objects.get(getDeclarationKey(key));
  if (!declaration) return null;
  const text = await new Response(declaration.content as unknown as BodyInit).text();
  return JSON.parse(text) as Declared;
}

type StoredPart = { key: string; position: number; size: number };

/** Lists the parts that are contiguous from the first byte. */
async function listParts(objects: Objects, key: string): Promise<StoredPart[]> {
  const stored: StoredPart[] = [];
  for await (const object of objects.list(getPartKey(key)))
    stored.push({ ...object, position: Number(object.key.split("/").at(-1)) });
  const parts: StoredPart[] = [];
  // A request that lost its lease may have left an overlapping part.
  for (const part of stored.toSorted((one, other) => one.position - other.position))
    if (part.position === getPartsEnd(parts)) parts.push(part);
  return parts;
}

function getPartsEnd(parts: StoredPart[]): number {
  const last = parts.at(-1);
  return last ? last.position + last.size : 0;
}

async function download(objects: Objects, parts: StoredPart[], path: string): Promise<void> {
  for (const { key } of parts) {
    const part = await objects.get(key);
    if (!part) throw ERRORS.FILE_NOT_FOUND;
    await pipeline(part.content, createWriteStream(path, { flags: "a", mode: 0o600 }));
  }
}

/** Lists the uploads below a prefix, with the time of their last activity. */
async function listUploadsBelow(objects: Objects, below: string) {
  const uploads = new Map<string, Date>();
  for await (const { key, modifiedAt } of objects.list(below)) {
    const [, uploaderId, uploadId] = key.split("/");
    const upload = `${uploaderId}/${uploadId}`;
    const latest = uploads.get(upload);
    if (!latest || latest < modifiedAt) uploads.set(upload, modifiedAt);
  }
  return [...uploads].map(([key, touchedAt]) => ({ key, touchedAt }));
}

function getDeclarationKey(key: string): string {
  return `${prefix}${key}/declared.json`;
}

/**
 * Returns the key of a part, or without a position their common prefix. Keys have equal length, so that they list in
 * order.
 */
function getPartKey(key: string, position?: number): string {
  const name = position === undefined ? "" : String(position).padStart(12, "0");
  return `${prefix}${key}/part/${name}`;
}

/** Limited space on the local disk for temporary files. */
type Spool = {
  /**
   * Runs work with the path for a new file of at most this size, once there is enough space. The file is deleted
   * afterwards. The work must not request more space.
   */
  use<Result>(bytes: number, work: (path: string) => Promise<Result>): Promise<Result>;
};

/**
 * Empties a folder owned by this process, and manages the space in it.
 *
 * @param maxBytes the limit in bytes. A larger file has the folder to itself.
 */
export async function openSpool(folder: string, maxBytes: number): Promise<Spool> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const waiting: { bytes: number; enter: () => void }[] = [];
  let used = 0;

  function admit(): void {
    for (let [next] = waiting; next; [next] = waiting) {
      if (used > 0 && used + next.bytes > maxBytes) return;
      waiting.shift();
      used += next.bytes;
      next.enter();
    }
  }

  return {
    async use(bytes, work) {
      await new Promise<void>((enter) => {
        waiting.push({ bytes, enter });
        admit();
      });
      const path = join(folder, randomUUID());
      try {
        return await work(path);
      } finally {
        await rm(path, { force: true });
        used -= bytes;
        admit();
      }
    },
  };
}
