import * as fs from "node:fs/promises";
import { join } from "node:path";

/**
 * Files that are still arriving lie in one folder a person, `<folder>/<user id>/<upload id>`, with
 * what was declared of them beside them in `<upload id>.json`.
 */

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
