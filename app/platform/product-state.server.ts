import { readFile } from "node:fs/promises";
import { sql } from "drizzle-orm";
import type { Database } from "./database.server.ts";

export async function getProductVersion(): Promise<string> {
  return (JSON.parse(await readFile("package.json", "utf8")) as { version: string }).version;
}

type Journal = { entries: { when: number; tag: string }[] };

/** Reads the migrations of this version, oldest first. @param folder another one for tests */
export async function readJournal(folder = "db/migrations"): Promise<Journal> {
  return JSON.parse(await readFile(`${folder}/meta/_journal.json`, "utf8")) as Journal;
}

/**
 * Checks whether a database was migrated by a commit from before the first migration of today.
 *
 * @param applied the times of its migrations
 */
export function isFromEarlierCommit(applied: number[], { entries }: Journal): boolean {
  return applied.length > 0 && !applied.includes(entries[0]!.when);
}

/** Returns the database's version, such as "17.2", its size in bytes, and its migrations. */
export async function getDatabaseState(db: Database) {
  const [{ rows }, applied, { entries }] = await Promise.all([
    db.execute<{ version: string; size: string }>(
      sql`select current_setting('server_version') as version, pg_database_size(current_database()) as size`,
    ),
    db.execute<{ when: string }>(
      sql`select created_at as "when" from drizzle.__drizzle_migrations`,
    ),
    readJournal(),
  ]);
  const when = new Set(applied.rows.map((row) => Number(row.when)));
  return {
    // "17.2 (Debian 17.2-1)" becomes "17.2".
    version: rows[0]!.version.split(" ")[0]!,
    size: Number(rows[0]!.size),
    migrations: {
      known: entries.length,
      applied: entries.filter((entry) => when.has(entry.when)).length,
      newest: entries.at(-1)!.tag,
    },
  };
}
