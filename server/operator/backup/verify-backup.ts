import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Invalid } from "../../../app/platform/errors.ts";
import {
  getBlobPath,
  runForEach,
  filesFile,
  format,
  listBackups,
  listFiles,
  type Manifest,
  manifestFile,
  sumOf,
  sumsFile,
} from "./backup-folder.ts";

/** A backup whose checksums all match. */
export type VerifiedBackup = { folder: string; backup: string; manifest: Manifest };

/**
 * Reads every file of a backup and compares its checksum.
 *
 * @param name a backup in the folder; null for the newest
 * @throws {Invalid} with the missing or damaged files.
 */
export async function verifyBackup(
  folder: string,
  name: string | null,
  logProgress: (line: string) => void,
): Promise<VerifiedBackup> {
  const names = await listBackups(folder);
  const chosen = name ?? names.at(-1);
  if (!chosen || !names.includes(chosen))
    throw new Invalid({
      backup:
        `There is no complete backup ${name ? `${name} ` : ""}in ${folder}. ${names.length > 0 ? `Available: ${names.join(", ")}` : ""}`.trim(),
    });
  const backup = join(folder, chosen);
  const sums = await readSums(backup);
  logProgress(`Reading ${sums.size} files of the backup ${chosen}.`);
  await requireMatchingSums(backup, sums);
  const text = await readFile(join(backup, manifestFile), "utf8");
  const manifest = JSON.parse(text) as Omit<Manifest, "format"> & { format: number };
  if (manifest.format !== format)
    throw new Invalid({
      backup: `${chosen} has the format ${manifest.format}, which this version can't read.`,
    });
  const checked = { ...manifest, format } as const;
  await requireCompleteSums(backup, checked, sums);
  return { folder, backup, manifest: checked };
}

/** Reads the checksums of a backup's files, by path relative to the backup. */
async function readSums(backup: string): Promise<Map<string, string>> {
  const text = await readFile(join(backup, sumsFile), "utf8").catch(() => "");
  const lines = text.split("\n");
  if (lines.pop() !== "" || lines.length === 0) throw createDamagedError([sumsFile]);
  return new Map(
    lines.map((line) => {
      const [, sum, path] = /^([\da-f]{64}) {2}(\S+)$/.exec(line) ?? [];
      if (!sum || !path) throw createDamagedError([sumsFile]);
      return [path, sum];
    }),
  );
}

async function requireMatchingSums(backup: string, sums: Map<string, string>): Promise<void> {
  const damaged: string[] = [];
  await runForEach(sums, async ([path, sum]) => {
    const actual = await sumOf(join(backup, path));
    if (actual !== sum) damaged.push(actual === null ? `${path} (missing)` : path);
  });
  if (damaged.length > 0) throw createDamagedError(damaged.toSorted());
}

/** Checks that every file has a checksum, since files without one are not read. */
async function requireCompleteSums(backup: string, manifest: Manifest, sums: Map<string, string>) {
  const parts = [manifestFile, filesFile, ...manifest.tables.map(({ file }) => file)];
  const unlisted = parts.filter((path) => !sums.has(path));
  if (unlisted.length > 0) throw createDamagedError([sumsFile, ...unlisted]);
  let count = 0;
  for await (const { sha256 } of listFiles(backup)) {
    if (!sums.has(`../${getBlobPath(sha256)}`))
      throw createDamagedError([sumsFile, getBlobPath(sha256)]);
    count += 1;
  }
  if (count !== manifest.files.count) throw createDamagedError([filesFile]);
}

const maxListed = 20;

function createDamagedError(paths: string[]): Invalid {
  const listed = paths.slice(0, maxListed).join(", ");
  const more = paths.length > maxListed ? ` and ${paths.length - maxListed} more` : "";
  return new Invalid({
    backup: `The backup is damaged: ${listed}${more}. Nothing was changed. Use another backup, or another copy of this one.`,
  });
}
