import { fileURLToPath } from "node:url";
import { DrizzleQueryError, sql } from "drizzle-orm";
import { drizzle, type NodePgQueryResultHKT } from "drizzle-orm/node-postgres";
import { migrate } from "drizzle-orm/node-postgres/migrator";
import type { PgDatabase } from "drizzle-orm/pg-core";
import { DatabaseError, Pool } from "pg";

/**
 * A connection pool or a transaction in it. Commands take it as their first argument and no module
 * holds one: inside a transaction another handle would miss the transaction's rows.
 */
export type Database = PgDatabase<NodePgQueryResultHKT>;

/** An open pool, and the way to close it. */
export type DatabasePool = { db: Database; pool: Pool; close(): Promise<void> };

/** Opens a pool of connections to the PostgreSQL server (15 or newer) at `url`. */
export function openDatabase(url: string, { max = 10 }: { max?: number } = {}): DatabasePool {
  const pool = new Pool({ connectionString: url, max, application_name: "naksha" });
  // An idle connection that the server closes is replaced by the pool at the next query.
  pool.on("error", () => {});
  return { db: drizzle({ client: pool }), pool, close: () => pool.end() };
}

const migrationsLock = 727_274;

/**
 * Brings the tables to their newest form. Processes that start together wait for each other.
 *
 * @param folder where the numbered SQL files lie
 */
export async function migrateDatabase(url: string, folder = migrationsFolder()): Promise<void> {
  const pool = new Pool({ connectionString: url, max: 1, application_name: "naksha" });
  const db = drizzle({ client: pool });
  try {
    await db.execute(sql`select pg_advisory_lock(${migrationsLock})`);
    await migrate(db, { migrationsFolder: folder });
  } finally {
    await pool.end();
  }
}

/** True when the error is a unique index's refusal, of the index named, if one is. */
export function isDuplicate(error: unknown, index?: string): boolean {
  const cause = error instanceof DrizzleQueryError ? error.cause : error;
  return (
    cause instanceof DatabaseError &&
    cause.code === "23505" &&
    (index === undefined || cause.constraint === index)
  );
}

/** The folder beside the sources; the built server runs from the clone's root as well. */
function migrationsFolder(): string {
  return fileURLToPath(new URL("db/migrations", `file://${process.cwd()}/`));
}
