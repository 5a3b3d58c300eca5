import { randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, rename, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { Readable, type Writable } from "node:stream";
import type { ReadableStream as WebStream } from "node:stream/web";
import type { FileStore } from "../../../app/files/store.server.ts";
import {
  type BackedUpFile,
  getBlobPath,
  runForEach,
  type FilePlace,
  listBackups,
  listFiles,
  sumOf,
  unfinished,
  writeWithSum,
} from "./backup-folder.ts";

type CopiedFiles = {
  count: number;
  bytes: number;
  /** The number of files that an earlier backup already had. */
  reused: number;
  missing: FilePlace[];
};

/**
 * Copies the listed files from the store into the folder. Files with the same content are stored once.
 *
 * @param listPath a file with one bucket and path per line
 * @param list receives the copied files; `sums` their checksums
 */
export async function copyFiles(
  { store, logProgress }: { store: FileStore; logProgress: (line: string) => void },
  folder: string,
  listPath: string,
  list: Writable,
  sums: string[],
): Promise<CopiedFiles> {
  const earlierSums = await readEarlierSums(folder);
  const copied: CopiedFiles = { count: 0, bytes: 0, reused: 0, missing: [] };
  const seenSums = new Set<string>();
  const lines = createInterface({ input: createReadStream(listPath) });
  await runForEach(lines, async (line) => {
    const place = JSON.parse(line) as FilePlace;
    const reused = await createReuse(folder, earlierSums.get(getFileKey(place)));
    const copy = reused ?? (await copyFile(store, folder, place));
    if (!copy) {
      copied.missing.push(place);
      logProgress(`not found: ${getFileKey(place)}`);
      return;
    }
    list.write(`${JSON.stringify({ ...place, ...copy } satisfies BackedUpFile)}\n`);
    copied.count += 1;
    copied.bytes += copy.size;
    copied.reused += Number(reused !== null);
    if (copied.count % 1000 === 0) logProgress(`${copied.count} files`);
    if (seenSums.has(copy.sha256)) return;
    seenSums.add(copy.sha256);
    sums.push(`${copy.sha256}  ../${getBlobPath(copy.sha256)}`);
  });
  return copied;
}

/** Reads the checksums of the newest backup. They stay valid because files never change. */
async function readEarlierSums(folder: string): Promise<Map<string, string>> {
  const earlierSums = new Map<string, string>();
  const newest = (await listBackups(folder)).at(-1);
  if (!newest) return earlierSums;
  try {
    for await (const file of listFiles(join(folder, newest)))
      earlierSums.set(getFileKey(file), file.sha256);
  } catch {
    // Copies every file again. Restoring the damaged backup itself is refused.
    earlierSums.clear();
  }
  return earlierSums;
}

/** Verifies the earlier copy before reusing it: the disk may have damaged it since. */
async function createReuse(folder: string, sha256: string | undefined) {
  if (!sha256) return null;
  const path = join(folder, getBlobPath(sha256));
  if ((await sumOf(path)) !== sha256) return null;
  return { size: (await stat(path)).size, sha256 };
}

async function copyFile(store: FileStore, folder: string, { bucket, path }: FilePlace) {
  const file = await store.open(bucket, path);
  if (!file) return null;
  const part = join(folder, "files", `${randomUUID()}${unfinished}`);
  const source = Readable.fromWeb(file.stream as WebStream<Uint8Array>);
  const { size, sha256 } = await writeWithSum(source, part);
  const blob = join(folder, getBlobPath(sha256));
  await mkdir(dirname(blob), { recursive: true, mode: 0o700 });
  await rename(part, blob);
  return { size, sha256 };
}

function getFileKey({ bucket, path }: FilePlace): string {
  return `${bucket}/${path}`;
}
