import { join } from "node:path";
import pg, { type Client } from "pg";
import { type Bucket, buckets } from "../../../app/files/rules.ts";
import type { FileStore } from "../../../app/files/store.server.ts";
import { Invalid } from "../../../app/platform/errors.ts";
import { isFromEarlierCommit, readJournal } from "../../../app/platform/product-state.server.ts";
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
import type { VerifiedBackup } from "./verify-backup.ts";
import { prepareDatabase } from "../../../db/prepare-database.ts";

type RestoreParts = {
  databaseUrl: string;
  store: FileStore;
  /** Creates the task queue's tables, so that the tasks of the backup can be inserted. */
  prepareTasks: () => Promise<void>;
  logProgress: (line: string) => void;
};

/**
 * Fills an empty database and an empty store from a backup. The rows are inserted last, in one transaction, so
 * an interrupted restore can be run again.
 *
 * @throws {Invalid} if the database or the store is not empty, or the backup is from an earlier commit or a newer version.
 */
export async function restoreBackup(
  parts: RestoreParts,
  verified: VerifiedBackup,
  { dryRun }: { dryRun: boolean },
): Promise<void> {
  const { databaseUrl, store, logProgress } = parts;
  const { manifest } = verified;
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
    await requireEmptyStore(store, verified);
    if (dryRun) return;
    await applyMigrationsUpTo(databaseUrl, manifest.migrations);
    await parts.prepareTasks();
    await saveBackupFiles(store, verified, logProgress);
    await insertBackupRows(client, verified, logProgress);
  } finally {
    await client.end();
  }
  await prepareDatabase(databaseUrl);
}

async function requireKnownMigrations({ migrations, product }: Manifest): Promise<void> {
  const existing = await listKnownMigrations();
  if (migrations.every((when) => existing.includes(when))) return;
  if (isFromEarlierCommit(migrations, await readJournal()))
    throw new Invalid({
      backup: `The backup was written by an earlier commit (${product.version}), whose tables this one doesn't read. Restore it with that commit.`,
    });
  throw new Invalid({
    backup: `The backup was written by a newer version of the product (${product.version}). Restore it with that version.`,
  });
}

/** Refuses newer tables: the rows would not fit them, and migrations cannot be undone. */
async function requireOlderMigrations(client: Client, { migrations }: Manifest): Promise<void> {
  const applied = await listAppliedMigrations(client);
  if (applied.every((when) => migrations.includes(when))) return;
  throw new Invalid({
    database:
      "The database has newer tables than the backup. Restore into a new database without tables.",
  });
}

/** The tables that each start of the product fills, also in an empty database. */
const loadedTables = ["places"];

async function requireEmptyDatabase(client: Client): Promise<void> {
  for (const { schema, name } of await listTables(client)) {
    if (schema !== "public" || loadedTables.includes(name)) continue;
    const { rowCount } = await client.query(`select from ${formatTableName(schema, name)} limit 1`);
    if (rowCount)
      throw new Invalid({
        database: `The database is not empty: ${name} has rows. Restore into a new database.`,
      });
  }
}

/** Allows files from an earlier attempt to restore the same backup. */
async function requireEmptyStore(store: FileStore, { backup }: VerifiedBackup): Promise<void> {
  const backedUp = new Set<string>();
  for await (const { bucket, path } of listFiles(backup)) backedUp.add(`${bucket}/${path}`);
  for (const bucket of buckets) {
    for await (const { path } of store.list(bucket)) {
      if (backedUp.has(`${bucket}/${path}`)) continue;
      throw new Invalid({
        store: `The store is not empty: it has ${bucket}/${path}. Restore into a new store.`,
      });
    }
  }
}

async function saveBackupFiles(
  store: FileStore,
  { folder, backup, manifest }: VerifiedBackup,
  logProgress: (line: string) => void,
): Promise<void> {
  let savedCount = 0;
  await runForEach(listFiles(backup), async ({ bucket, path, sha256 }) => {
    const isSaved = await store.put(bucket, path, join(folder, getBlobPath(sha256)));
    if (!isSaved && (await hashStoredFile(store, bucket, path)) !== sha256)
      throw new Invalid({
        store: `The store is not empty: its ${bucket}/${path} is a different file. Restore into a new store.`,
      });
    savedCount += 1;
    if (savedCount % 1000 === 0) logProgress(`${savedCount} of ${manifest.files.count} files`);
  });
  logProgress(`${savedCount} files`);
}

async function hashStoredFile(store: FileStore, bucket: Bucket, path: string) {
  const file = await store.open(bucket, path);
  return file && sumOfStream(file.stream);
}

async function insertBackupRows(
  client: Client,
  { backup, manifest }: VerifiedBackup,
  logProgress: (line: string) => void,
): Promise<void> {
  await client.query("begin");
  await client.query("set local statement_timeout = 0; set local lock_timeout = '5s'");
  await lockEmpty(client, manifest.tables);
  for (const table of manifest.tables) {
    await copyRowsIn(client, table, backup);
    await setSequences(client, table);
    logProgress(`${table.rows} rows of ${table.schema}.${table.name}`);
  }
  await client.query("commit");
  await client.query("analyze");
}

const lockNotAvailable = "55P03";

/** Locks out other writers and deletes the scheduled tasks and known places that an empty product has. */
async function lockEmpty(client: Client, tables: BackedUpTable[]): Promise<void> {
  const all = tables.map(({ schema, name }) => formatTableName(schema, name)).join(", ");
  await client.query(`lock table ${all} in access exclusive mode`).catch((error: unknown) => {
    if (!(error instanceof pg.DatabaseError) || error.code !== lockNotAvailable) throw error;
    throw new Invalid({
      database: "Something else is using the database. Stop the product, then restore again.",
    });
  });
  await requireEmptyDatabase(client);
  await client.query("delete from pgboss.job");
  if (tables.some(({ name }) => name === "places")) await client.query("delete from places");
}
