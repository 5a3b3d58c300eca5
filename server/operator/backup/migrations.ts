import { copyFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Client } from "pg";
import { applyMigrations } from "../../../app/platform/database.server.ts";
import { readJournal } from "../../../app/platform/product-state.server.ts";

/** Lists the timestamps of the applied migrations, oldest first; empty for a database without tables. */
export async function listAppliedMigrations(client: Client): Promise<number[]> {
  const { rows: existing } = await client.query<{ made: boolean }>(
    "select to_regclass('drizzle.__drizzle_migrations') is not null as made",
  );
  if (!existing[0]?.made) return [];
  const { rows } = await client.query<{ created_at: string }>(
    "select created_at from drizzle.__drizzle_migrations order by created_at",
  );
  return rows.map((row) => Number(row.created_at));
}

/** Lists the timestamps of the migrations in this version of the product. */
export async function listKnownMigrations(): Promise<number[]> {
  return (await readJournal()).entries.map(({ when }) => when);
}

/** Applies only these migrations to a database. @param folder another one for tests */
export async function applyMigrationsUpTo(
  databaseUrl: string,
  migrations: number[],
  folder = "db/migrations",
): Promise<void> {
  const journal = await readJournal(folder);
  const entries = journal.entries.filter(({ when }) => migrations.includes(when));
  const partialFolder = await mkdtemp(join(tmpdir(), "naksha-migrations-"));
  try {
    await mkdir(join(partialFolder, "meta"));
    await writeFile(
      join(partialFolder, "meta/_journal.json"),
      JSON.stringify({ ...journal, entries }),
    );
    for (const { tag } of entries)
      await copyFile(join(folder, `${tag}.sql`), join(partialFolder, `${tag}.sql`));
    await applyMigrations(databaseUrl, partialFolder);
  } finally {
    await rm(partialFolder, { recursive: true, force: true });
  }
}
