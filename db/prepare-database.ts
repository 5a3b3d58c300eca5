import { sql } from "drizzle-orm";
import { applyMigrations, openDatabase } from "../app/platform/database.server.ts";
import { isFromEarlierCommit, readJournal } from "../app/platform/product-state.server.ts";
import { createOnlineIndexes } from "./online-indexes.ts";

/**
 * Brings the database up to this version: migrations, then the indexes of large tables.
 *
 * @param url not a pooler's
 * @throws {Error} for a database of a commit from before the first migration, which stays as it is
 */
export async function prepareDatabase(url: string): Promise<void> {
  await refuseEarlierDatabase(url);
  await applyMigrations(url);
  await createOnlineIndexes(url);
}

async function refuseEarlierDatabase(url: string): Promise<void> {
  const { db, close } = openDatabase(url, { max: 1 });
  try {
    const { rows: tables } = await db.execute<{ made: boolean }>(
      sql`select to_regclass('drizzle.__drizzle_migrations') is not null as made`,
    );
    if (!tables[0]!.made) return;
    const { rows } = await db.execute<{ when: string }>(
      sql`select created_at as "when" from drizzle.__drizzle_migrations`,
    );
    const applied = rows.map(({ when }) => Number(when));
    if (isFromEarlierCommit(applied, await readJournal()))
      throw new Error(
        "This database was made by an earlier commit, whose tables this one doesn't read: start with an empty DATA_DIR or DATABASE_URL, or run the commit that made it.",
      );
  } finally {
    await close();
  }
}
