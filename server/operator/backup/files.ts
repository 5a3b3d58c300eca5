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

export type CopiedFiles = {
  count: number;
  bytes: number;
  /** The number of files that an earlier backup already had. */
  reused: number;
  missing: FilePlace[];
};

/**
 * Copies the files that a list names from the store into the folder, each once, however many names it has.
 *
 * @param wanted file of one place a line
 * @param list takes up what was copied; `sums` its checksums
 */
export async function copyFiles(
  { store, say }: { store: FileStore; say: (line: string) => void },
  folder: string,
  wanted: string,
  list: Writable,
  sums: string[],
): Promise<CopiedFiles> {
  const known = await readEarlierSums(folder);
  const copied: CopiedFiles = { count: 0, bytes: 0, reused: 0, missing: [] };
  const summed = new Set<string>();
  const lines = createInterface({ input: createReadStream(wanted) });
  await runForEach(lines, async (line) => {
    const place = JSON.parse(line) as FilePlace;
    const reused = await createReuse(folder, known.get(getFileKey(place)));
    const found = reused ?? (await copyFile(store, folder, place));
    if (!found) {
      copied.missing.push(place);
      say(`gone: ${getFileKey(place)}`);
      return;
    }
    list.write(`${JSON.stringify({ ...place, ...found } satisfies BackedUpFile)}\n`);
    copied.count += 1;
    copied.bytes += found.size;
    copied.reused += Number(reused !== null);
    if (copied.count % 1000 === 0) say(`${copied.count} files`);
    if (summed.has(found.sha256)) return;
    summed.add(found.sha256);
    sums.push(`${found.sha256}  ../${getBlobPath(found.sha256)}`);
  });
  return copied;
}

/** Reads the newest backup's checksums: files never change. */
async function readEarlierSums(folder: string): Promise<Map<string, string>> {
  const known = new Map<string, string>();
  const newest = (await listBackups(folder)).at(-1);
  if (!newest) return known;
  try {
    for await (const file of listFiles(join(folder, newest)))
      known.set(getFileKey(file), file.sha256);
  } catch {
    // A list that is damaged saves no work; its own backup is refused when it is restored.
    known.clear();
  }
  return known;
}

/** Read again rather than believed: the disk may have lost it meanwhile. */
async function createReuse(folder: string, sha256: string | undefined) {
  if (!sha256) return null;
  const path = join(folder, getBlobPath(sha256));
  if ((await sumOf(path)) !== sha256) return null;
  return { size: (await stat(path)).size, sha256 };
}

async function copyFile(store: FileStore, folder: string, { bucket, path }: FilePlace) {
  const found = await store.open(bucket, path);
  if (!found) return null;
  const part = join(folder, "files", `${randomUUID()}${unfinished}`);
  const source = Readable.fromWeb(found.stream as WebStream<Uint8Array>);
  const { size, sha256 } = await writeWithSum(source, part);
  const blob = join(folder, getBlobPath(sha256));
  await mkdir(dirname(blob), { recursive: true, mode: 0o700 });
  await rename(part, blob);
  return { size, sha256 };
}

function getFileKey({ bucket, path }: FilePlace): string {
  return `${bucket}/${path}`;
}
