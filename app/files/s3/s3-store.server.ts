import { Readable } from "node:stream";
import type { Leases } from "../../platform/leases.server.ts";
import { isSafePath } from "../names.server.ts";
import { type Bucket, buckets } from "../rules.ts";
import type { FileStore } from "../store.server.ts";
import type { Objects } from "./objects.server.ts";

/**
 * Keeps files as objects of a service that speaks S3, by `<bucket>/<path>`.
 *
 * That a path is written once is for the leases to see to: not every service compares, and some only
 * seem to. Where one does, it is asked to as well.
 */
export function s3Store(objects: Objects, leases: Leases): FileStore {
  return {
    async put(bucket, path, sourceFilePath) {
      if (!isAddress(bucket, path)) throw new Error(`Not a path for a file: ${bucket}/${path}`);
      const key = `${bucket}/${path}`;
      const lost = new AbortController();
      const lease = await leases.take(`put:${key}`, () => lost.abort());
      if (!lease) return false;
      try {
        if (await objects.head(key)) return false;
        return await objects.put(
          key,
          { path: sourceFilePath },
          { onlyNew: true, signal: lost.signal },
        );
      } finally {
        await lease.giveBack();
      }
    },
    async open(bucket, path, range) {
      if (!isAddress(bucket, path)) return null;
      const found = await objects.get(`${bucket}/${path}`, range);
      if (!found) return null;
      const { content, size, modifiedAt } = found;
      const start = range?.start ?? 0;
      const end = Math.min(range?.end ?? size - 1, size - 1);
      // Whoever stops reading it closes the connection to the service.
      const stream = Readable.toWeb(content) as ReadableStream<Uint8Array>;
      return { stream, size, modifiedAt, start, end };
    },
    stat: async (bucket, path) =>
      isAddress(bucket, path) ? objects.head(`${bucket}/${path}`) : null,
    async delete(bucket, path) {
      if (!isAddress(bucket, path)) return false;
      const key = `${bucket}/${path}`;
      if (!(await objects.head(key))) return false;
      await objects.delete(key);
      return true;
    },
    async *list(bucket) {
      for await (const { key, ...facts } of objects.list(`${bucket}/`))
        yield { path: key.slice(bucket.length + 1), ...facts };
    },
    // An object is there whole or not at all, and nothing is put in parts.
    deleteUnfinished: async () => 0,
  };
}

function isAddress(bucket: Bucket, path: string): boolean {
  return buckets.includes(bucket) && isSafePath(path);
}
