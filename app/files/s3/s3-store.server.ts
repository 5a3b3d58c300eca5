import { Readable } from "node:stream";
import type { Leases } from "../../platform/leases.server.ts";
import { isSafePath } from "../names.server.ts";
import { type Area, areas } from "../rules.ts";
import type { FileStore } from "../store.server.ts";
import type { Objects } from "./objects.server.ts";

/**
 * Keeps files as objects of a service that speaks S3, by `<area>/<path>`.
 *
 * That a path is written once is for the leases to see to: not every service compares, and some only
 * seem to. Where one does, it is asked to as well.
 */
export function s3Store(objects: Objects, leases: Leases): FileStore {
  return {
    async put(area, path, sourceFilePath) {
      if (!isAddress(area, path)) throw new Error(`Not a path for a file: ${area}/${path}`);
      const key = `${area}/${path}`;
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
    async open(area, path, range) {
      if (!isAddress(area, path)) return null;
      const found = await objects.get(`${area}/${path}`, range);
      if (!found) return null;
      const { content, size, modifiedAt } = found;
      const start = range?.start ?? 0;
      const end = Math.min(range?.end ?? size - 1, size - 1);
      // Whoever stops reading it closes the connection to the service.
      const stream = Readable.toWeb(content) as ReadableStream<Uint8Array>;
      return { stream, size, modifiedAt, start, end };
    },
    stat: async (area, path) => (isAddress(area, path) ? objects.head(`${area}/${path}`) : null),
    async delete(area, path) {
      if (!isAddress(area, path)) return false;
      const key = `${area}/${path}`;
      if (!(await objects.head(key))) return false;
      await objects.delete(key);
      return true;
    },
    async *list(area, folder) {
      const prefix = folder === undefined ? `${area}/` : `${area}/${folder}/`;
      for await (const { key, ...facts } of objects.list(prefix))
        yield { path: key.slice(area.length + 1), ...facts };
    },
    // An object is there whole or not at all, and nothing is put in parts.
    deleteUnfinished: async () => 0,
  };
}

function isAddress(area: Area, path: string): boolean {
  return areas.includes(area) && isSafePath(path);
}
