import { createWriteStream } from "node:fs";
import { mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import pg, { type Client } from "pg";
import type { FileStore } from "../../../app/files/store.server.ts";
import { now } from "../../../app/platform/clock.ts";
import { withLock } from "../../process/process-lock.ts";
import {
  getBlobPath,
  type FilePlace,
  filesFile,
  format,
  listBackups,
  listFiles,
  type Manifest,
  manifestFile,
  removeUnfinished,
  sumsFile,
  unfinished,
  writeWithSum,
} from "./backup-folder.ts";
import { copyFiles } from "./files.ts";
import { copyRowsOut, listTables } from "./rows.ts";
import { getProductVersion } from "../../../app/platform/product-state.server.ts";
import { listAppliedMigrations } from "./migrations.ts";

type BackupParts = {
  databaseUrl: string;
  store: FileStore;
  logProgress: (line: string) => void;
};

export type BackupOptions = {
  withoutSessions: boolean;
  /** The number of backups to keep, including this one; all if absent. */
  keep?: number | undefined;
};

/**
 * Writes a backup to a folder: a snapshot of the rows, then the files that they refer to. The product can keep
 * running. Files from earlier backups in the folder are not copied again. A lock allows one backup at a time.
 *
 * @param folder created if it is missing
 */
export async function writeBackup(
  parts: BackupParts,
  folder: string,
  { withoutSessions, keep }: BackupOptions,
) {
  await mkdir(join(folder, "files"), { recursive: true, mode: 0o700 });
  return withLock(join(folder, "backup.lock"), async () => {
    await removeUnfinished(folder);
    const name = now().toISOString().replaceAll(/[:.]/g, "-");
    const part = join(folder, `${name}${unfinished}`);
    await mkdir(join(part, "rows"), { recursive: true, mode: 0o700 });
    const sums: string[] = [];
    const snapshot = await writeRows(parts, part, withoutSessions, sums);
    const copied = await writeFiles(parts, folder, part, sums);
    const { count, bytes, missing } = copied;
    const manifest: Manifest = { format, ...snapshot, files: { count, bytes }, missing };
    await writeLast(part, manifest, sums);
    await rename(part, join(folder, name));
    const lost = await listStillNamed(parts.databaseUrl, missing);
    const deleted = keep === undefined ? [] : await deleteOldBackups(folder, keep);
    // Rows still name the lost files. The deleted are older backups.
    return { ...manifest, name, copied, lost, deleted };
  });
}

/** Reads all rows in one transaction, so that every query sees the same snapshot. */
async function writeRows(
  { databaseUrl, logProgress }: BackupParts,
  part: string,
  withoutSessions: boolean,
  sums: string[],
) {
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: "naksha backup",
    keepAlive: true,
  });
  await client.connect();
  try {
    await client.query("begin isolation level repeatable read read only");
    await client.query(portable);
    const { rows } = await client.query<{ at: Date; postgres: string }>(
      "select now() as at, current_setting('server_version') as postgres",
    );
    const tables = [];
    for (const table of await listTables(client)) {
      if (withoutSessions && sessionTables.has(table.name)) continue;
      const { sha256, ...written } = await copyRowsOut(client, table, part);
      logProgress(`${written.rows} rows of ${written.schema}.${written.name}`);
      tables.push(written);
      sums.push(`${sha256}  ${written.file}`);
    }
    await writeNeededFiles(client, part);
    return {
      product: { version: await getProductVersion() },
      at: rows[0]!.at.toISOString(),
      postgres: rows[0]!.postgres,
      migrations: await listAppliedMigrations(client),
      withoutSessions,
      tables,
    };
  } finally {
    await client.end();
  }
}

/** Tables with sessions and sign-ins that still need a second factor. */
const sessionTables = new Set(["sessions", "half_sign_ins"]);

/** Makes the output independent of the server's settings, and allows it to take hours. */
const portable = `set local datestyle = 'ISO, YMD'; set local timezone = 'UTC';
  set local intervalstyle = 'postgres'; set local bytea_output = 'hex'; set local extra_float_digits = 3;
  set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0`;

const neededFilesList = `needed${unfinished}`;

/** Lists the files of the snapshot now and copies them later, so that the transaction stays short. */
async function writeNeededFiles(client: Client, part: string): Promise<void> {
  await pipeline(listNeededLines(client), createWriteStream(join(part, neededFilesList)));
}

async function* listNeededLines(client: Client): AsyncGenerator<string> {
  let last = ["", ""];
  for (;;) {
    const { rows } = await client.query<{ bucket: string; path: string }>(
      `select bucket, path from stored_files where (bucket, path) > ($1, $2)
       order by bucket, path limit 1000`,
      last,
    );
    for (const { bucket, path } of rows) yield `${JSON.stringify({ bucket, path })}\n`;
    const { bucket, path } = rows.at(-1) ?? {};
    if (bucket === undefined || path === undefined) return;
    last = [bucket, path];
  }
}

async function writeFiles(parts: BackupParts, folder: string, part: string, sums: string[]) {
  const list = createGzip();
  const written = writeWithSum(list, join(part, filesFile));
  // Awaiting it below reports the error.
  written.catch(() => {});
  const copied = await copyFiles(parts, folder, join(part, neededFilesList), list, sums);
  list.end();
  const { sha256 } = await written;
  sums.push(`${sha256}  ${filesFile}`);
  return copied;
}

/** Writes the checksums last, including the manifest's: a backup without them is invalid. */
async function writeLast(part: string, manifest: Manifest, sums: string[]): Promise<void> {
  const text = Readable.from([Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`)]);
  const { sha256 } = await writeWithSum(text, join(part, manifestFile));
  await rm(join(part, neededFilesList));
  const lines = [`${sha256}  ${manifestFile}`, ...sums].join("\n");
  await writeFile(join(part, sumsFile), `${lines}\n`, { mode: 0o600, flush: true });
}

async function listStillNamed(databaseUrl: string, missing: FilePlace[]): Promise<FilePlace[]> {
  if (missing.length === 0) return [];
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<FilePlace>(
      `select bucket, path from stored_files
       where (bucket, path) in (select * from unnest($1::text[], $2::text[]))`,
      [missing.map(({ bucket }) => bucket), missing.map(({ path }) => path)],
    );
    return rows;
  } finally {
    await client.end();
  }
}

/**
 * Deletes all but the newest backups of a folder, then the files that none of the remaining ones lists. If a
 * list cannot be read, no file is deleted.
 *
 * @returns the names of the deleted backups.
 */
async function deleteOldBackups(folder: string, keep: number): Promise<string[]> {
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
      if (!listed.has(sha256)) await rm(join(folder, getBlobPath(sha256)));
}
