import { copyFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Client } from "pg";
import { applyMigrations } from "../../../app/platform/database.server.ts";
import { readJournal } from "../../../app/platform/product-state.server.ts";

const folder = "db/migrations";

/** When each migration that a database has was written, the oldest first; none for one without tables. */
export async function listAppliedMigrations(client: Client): Promise<number[]> {
  const { rows: made } = await client.query<{ made: boolean }>(
    "select to_regclass('drizzle.__drizzle_migrations') is not null as made",
  );
  if (!made[0]?.made) return [];
  const { rows } = await client.query<{ created_at: string }>(
    "select created_at from drizzle.__drizzle_migrations order by created_at",
  );
  return rows.map((row) => Number(row.created_at));
}

/** The migrations that this version of the product knows. */
export async function listKnownMigrations(): Promise<number[]> {
  return (await readJournal()).entries.map(({ when }) => when);
}

/** Gives a database the tables as they were after these migrations, and no later ones. */
export async function applyMigrationsUpTo(
  databaseUrl: string,
  migrations: number[],
): Promise<void> {
  const journal = await readJournal();
  const entries = journal.entries.filter(({ when }) => migrations.includes(when));
  const some = await mkdtemp(join(tmpdir(), "naksha-migrations-"));
  try {
    await mkdir(join(some, "meta"));
    await writeFile(join(some, "meta/_journal.json"), JSON.stringify({ ...journal, entries }));
    for (const { tag } of entries)
      await copyFile(join(folder, `${tag}.sql`), join(some, `${tag}.sql`));
    await applyMigrations(databaseUrl, some);
  } finally {
    await rm(some, { recursive: true, force: true });
  }
}
