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

/** A backup whose every byte is as it was written. */
export type SoundBackup = { folder: string; backup: string; manifest: Manifest };

/**
 * Reads every file of a backup and compares its checksum.
 *
 * @param name of one in the folder; null for the newest
 * @throws {Invalid} that names what is missing or damaged.
 */
export async function verifyBackup(
  folder: string,
  name: string | null,
  say: (line: string) => void,
): Promise<SoundBackup> {
  const names = await listBackups(folder);
  const chosen = name ?? names.at(-1);
  if (!chosen || !names.includes(chosen))
    throw new Invalid({
      backup:
        `There is no whole backup ${name ? `${name} ` : ""}in ${folder}. ${names.length > 0 ? `There are: ${names.join(", ")}` : ""}`.trim(),
    });
  const backup = join(folder, chosen);
  const sums = await readSums(backup);
  say(`Reading ${sums.size} files of the backup ${chosen}.`);
  await requireSoundFiles(backup, sums);
  const text = await readFile(join(backup, manifestFile), "utf8");
  const manifest = JSON.parse(text) as Omit<Manifest, "format"> & { format: number };
  if (manifest.format !== format)
    throw new Invalid({
      backup: `${chosen} has the format ${manifest.format}, which is not ours.`,
    });
  const known = { ...manifest, format } as const;
  await requireCompleteSums(backup, known, sums);
  return { folder, backup, manifest: known };
}

/** The checksums of a backup's files, by their paths below it. */
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

async function requireSoundFiles(backup: string, sums: Map<string, string>): Promise<void> {
  const wrong: string[] = [];
  await runForEach(sums, async ([path, sum]) => {
    const found = await sumOf(join(backup, path));
    if (found !== sum) wrong.push(found === null ? `${path} (missing)` : path);
  });
  if (wrong.length > 0) throw createDamagedError(wrong.toSorted());
}

/** A line that was lost from the sums would leave its file unread. */
async function requireCompleteSums(
  backup: string,
  manifest: Manifest,
  sums: Map<string, string>,
): Promise<void> {
  const parts = [manifestFile, filesFile, ...manifest.tables.map(({ file }) => file)];
  const unread = parts.filter((path) => !sums.has(path));
  if (unread.length > 0) throw createDamagedError([sumsFile, ...unread]);
  let count = 0;
  for await (const { sha256 } of listFiles(backup)) {
    if (!sums.has(`../${getBlobPath(sha256)}`))
      throw createDamagedError([sumsFile, getBlobPath(sha256)]);
    count += 1;
  }
  if (count !== manifest.files.count) throw createDamagedError([filesFile]);
}

const mostNamed = 20;

function createDamagedError(paths: string[]): Invalid {
  const named = paths.slice(0, mostNamed).join(", ");
  const more = paths.length > mostNamed ? ` and ${paths.length - mostNamed} more` : "";
  return new Invalid({
    backup: `The backup is damaged, and nothing was changed: ${named}${more}. Take another backup, or another copy of this one.`,
  });
}
