import { join } from "node:path";
import pg, { type Client } from "pg";
import { type Bucket, buckets } from "../../../app/files/rules.ts";
import type { FileStore } from "../../../app/files/store.server.ts";
import { applyMigrations } from "../../../app/platform/database.server.ts";
import { Invalid } from "../../../app/platform/errors.ts";
import {
  type BackedUpTable,
  getBlobPath,
  runForEach,
  listFiles,
  type Manifest,
  sumOfStream,
} from "./backup-folder.ts";
import { listAppliedMigrations, listKnownMigrations, applyMigrationsUpTo } from "./migrations.ts";
import { setSequences, copyRowsIn, listTables, formatTableName } from "./rows.ts";
import type { SoundBackup } from "./verify-backup.ts";

type RestoreParts = {
  databaseUrl: string;
  store: FileStore;
  /** Makes the queue of tasks in the database, so that those of the backup find their place. */
  prepareTasks: () => Promise<void>;
  say: (line: string) => void;
};

/**
 * Fills an empty database and an empty store from a backup. The rows come last and in one transaction: a
 * restore is whole or has not happened, and one that was cut off is simply run again.
 *
 * @throws {Invalid} when the database or the store holds something else, or the backup is of a newer version.
 */
export async function restoreBackup(
  parts: RestoreParts,
  sound: SoundBackup,
  { dryRun }: { dryRun: boolean },
): Promise<void> {
  const { databaseUrl, store, say } = parts;
  const { manifest } = sound;
  await requireKnownMigrations(manifest);
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: "naksha restore",
    keepAlive: true,
  });
  await client.connect();
  try {
    await requireOlderMigrations(client, manifest);
    await requireEmptyDatabase(client);
    await requireEmptyStore(store, sound);
    if (dryRun) return;
    await applyMigrationsUpTo(databaseUrl, manifest.migrations);
    await parts.prepareTasks();
    await saveBackupFiles(store, sound, say);
    await insertBackupRows(client, sound, say);
  } finally {
    await client.end();
  }
  await applyMigrations(databaseUrl);
}

async function requireKnownMigrations({ migrations, product }: Manifest): Promise<void> {
  const known = await listKnownMigrations();
  if (migrations.every((when) => known.includes(when))) return;
  throw new Invalid({
    backup: `The backup was written by a newer version of the product (${product.version}). Restore it with that one.`,
  });
}

/** Requires tables that are not newer: rows fit the tables they come from, and migrations are not reversed. */
async function requireOlderMigrations(client: Client, { migrations }: Manifest): Promise<void> {
  const applied = await listAppliedMigrations(client);
  if (applied.every((when) => migrations.includes(when))) return;
  throw new Invalid({
    database:
      "The database has newer tables than the backup. Give it a new one, without any table.",
  });
}

async function requireEmptyDatabase(client: Client): Promise<void> {
  for (const { schema, name } of await listTables(client)) {
    if (schema !== "public") continue;
    const { rowCount } = await client.query(`select from ${formatTableName(schema, name)} limit 1`);
    if (rowCount)
      throw new Invalid({
        database: `The database is not empty: ${name} has rows. Restore into a new one.`,
      });
  }
}

/** Files of an earlier attempt at the same backup may stay. */
async function requireEmptyStore(store: FileStore, { backup }: SoundBackup): Promise<void> {
  const own = new Set<string>();
  for await (const { bucket, path } of listFiles(backup)) own.add(`${bucket}/${path}`);
  for (const bucket of buckets) {
    for await (const { path } of store.list(bucket)) {
      if (own.has(`${bucket}/${path}`)) continue;
      throw new Invalid({
        store: `The store is not empty: it has ${bucket}/${path}. Restore into a new one.`,
      });
    }
  }
}

async function saveBackupFiles(
  store: FileStore,
  { folder, backup, manifest }: SoundBackup,
  say: (line: string) => void,
): Promise<void> {
  let put = 0;
  await runForEach(listFiles(backup), async ({ bucket, path, sha256 }) => {
    const isPut = await store.put(bucket, path, join(folder, getBlobPath(sha256)));
    if (!isPut && (await hashStoredFile(store, bucket, path)) !== sha256)
      throw new Invalid({
        store: `The store is not empty: its ${bucket}/${path} is another file. Restore into a new one.`,
      });
    put += 1;
    if (put % 1000 === 0) say(`${put} of ${manifest.files.count} files`);
  });
  say(`${put} files`);
}

async function hashStoredFile(
  store: FileStore,
  bucket: Bucket,
  path: string,
): Promise<string | null> {
  const found = await store.open(bucket, path);
  return found && sumOfStream(found.stream);
}

async function insertBackupRows(
  client: Client,
  { backup, manifest }: SoundBackup,
  say: (line: string) => void,
): Promise<void> {
  await client.query("begin");
  await client.query("set local statement_timeout = 0; set local lock_timeout = '5s'");
  await lockEmpty(client, manifest.tables);
  for (const table of manifest.tables) {
    await copyRowsIn(client, table, backup);
    await setSequences(client, table);
    say(`${table.rows} rows of ${table.schema}.${table.name}`);
  }
  await client.query("commit");
  await client.query("analyze");
}

const lockNotAvailable = "55P03";

/** No one else writes from here on. Tasks that the clock queued in an empty product are worthless. */
async function lockEmpty(client: Client, tables: BackedUpTable[]): Promise<void> {
  const all = tables.map(({ schema, name }) => formatTableName(schema, name)).join(", ");
  await client.query(`lock table ${all} in access exclusive mode`).catch((error: unknown) => {
    if (!(error instanceof pg.DatabaseError) || error.code !== lockNotAvailable) throw error;
    throw new Invalid({
      database: "Something else uses the database. Stop the product, and restore again.",
    });
  });
  await requireEmptyDatabase(client);
  await client.query("delete from pgboss.job");
}
