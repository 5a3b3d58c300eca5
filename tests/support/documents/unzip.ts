import { buffer } from "node:stream/consumers";
import yauzl, { type Options } from "yauzl";
import type { Zip } from "../../../app/files/inspect/office-package.server.ts";

// The published types describe an older version, without promises.
const { fromBufferPromise } = yauzl as unknown as {
  fromBufferPromise: (bytes: Buffer, options: Options) => Promise<Zip>;
};

/** Reads every file of a ZIP archive by its name, and checks their sizes. */
export async function unzip(bytes: Uint8Array): Promise<Map<string, Buffer>> {
  const zip = await fromBufferPromise(Buffer.from(bytes), { validateEntrySizes: true });
  const files = new Map<string, Buffer>();
  for await (const entry of zip.eachEntry())
    files.set(entry.fileName, await buffer(await zip.openReadStreamPromise(entry)));
  return files;
}
