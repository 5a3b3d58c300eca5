import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { blobPath, listBackups, listFiles } from "./backup-folder.ts";

/**
 * Deletes all but the newest backups of a folder, and then the files that no other one lists. A list that
 * cannot be read keeps every file.
 *
 * @returns the names of those that were deleted.
 */
export async function forgetBackups(folder: string, keep: number): Promise<string[]> {
  const names = await listBackups(folder);
  const old = names.slice(0, -keep);
  for (const name of old) await rm(join(folder, name), { recursive: true });
  if (old.length > 0) await removeUnlisted(folder, names.slice(-keep));
  return old;
}

async function removeUnlisted(folder: string, names: string[]): Promise<void> {
  const listed = new Set<string>();
  for (const name of names)
    for await (const { sha256 } of listFiles(join(folder, name))) listed.add(sha256);
  for (const part of await readdir(join(folder, "files")))
    for (const sha256 of await readdir(join(folder, "files", part)))
      if (!listed.has(sha256)) await rm(join(folder, blobPath(sha256)));
}
