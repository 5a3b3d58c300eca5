import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { sql, type SQL } from "drizzle-orm";
import type { NodePgQueryResultHKT } from "drizzle-orm/node-postgres";
import { migrate } from "drizzle-orm/node-postgres/migrator";
import { type PgColumn, PgDatabase, PgDialect, type PgTable } from "drizzle-orm/pg-core";
import { DatabaseError, Pool, type PoolConfig } from "pg";
import { minute, now, second } from "./clock.ts";
import { runQuery, Session } from "./database-session.server.ts";
import { Unavailable } from "./errors.ts";

/**
 * A connection pool or a transaction in it. Commands take it as their first argument and no module
 * holds one: inside a transaction another handle would miss the transaction's rows.
 */
export type Database = PgDatabase<NodePgQueryResultHKT>;

/** An open pool, and the way to close it. */
export type DatabasePool = {
  db: Database;
  /** For a library that brings its own SQL; it throws the same errors as `db`. */
  // oxlint-disable-next-line typescript/no-explicit-any -- rows are what the library's SQL asks for
  query(text: string, values?: unknown[]): Promise<{ rows: any[] }>;
  use(): PoolUse;
  close(): Promise<void>;
};

/** The busy and idle connections of a pool, and the callers that wait for one. */
type PoolUse = { busy: number; idle: number; waiting: number };

/** The times in milliseconds that work waits for the database before it fails as `Unavailable`. */
type Limits = { connect: number; statement: number; lock: number };

/** A person is waiting for a page: together these end within five seconds. */
export const pageLimits: Limits = {
  connect: 2 * second,
  statement: 2.5 * second,
  lock: 2 * second,
};

/** For work without anyone waiting: tasks, and documents that are streamed. */
export const taskLimits: Limits = {
  connect: 10 * second,
  statement: 2 * minute,
  lock: 20 * second,
};

/** A server that is well has refused or cancelled by then; one that is frozen cancels nothing. */
const graceForAnswer = 0.3 * second;

/**
 * Opens a pool of connections to the PostgreSQL server (15 or newer) at `url`.
 *
 * @param limits without them work waits as long as it must, as migrations do.
 * @param name by which the server lists the connections
 * @param isPooled whether `url` is that of a pooler, which takes no limits for a connection: then only we
 * give up, and what the server may do is for its role to say.
 */
export function openDatabase(
  url: string,
  {
    max = 10,
    limits,
    name = "naksha",
    isPooled = false,
  }: { max?: number; limits?: Limits; name?: string; isPooled?: boolean } = {},
): DatabasePool {
  const pool = createPool({
    connectionString: url,
    max,
    application_name: name,
    keepAlive: true,
    ...(limits && buildPoolLimits(limits, isPooled)),
  });
  // The user of a connection that breaks notices at its next query. An idle one is replaced.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  const dialect = new PgDialect();
  return {
    db: new PgDatabase(dialect, new Session(pool, dialect, isPooled), undefined),
    query: (text, values) => runQuery(() => pool.query(text, values), text),
    use: () => ({
      busy: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
    close: () => pool.end(),
  };
}

/**
 * The driver's pool, but for one thing: a connection whose query failed for its values goes on being used. The
 * driver throws it away, and a new one costs more than most queries.
 */
function createPool(config: PoolConfig): Pool {
  const pool = new Pool(config);
  pool.query = (async (...asked: [string, unknown[]]) => {
    const client = await pool.connect();
    try {
      const result = await client.query(...asked);
      client.release();
      return result;
    } catch (error) {
      client.release(!isOfValues(error));
      throw error;
    }
  }) as Pool["query"];
  return pool;
}

/** Wrong data and broken constraints: anything else may be the connection's fault, or that of what it remembers. */
function isOfValues(error: unknown): boolean {
  return error instanceof DatabaseError && /^2[23]/.test(error.code ?? "");
}

function buildPoolLimits({ connect, statement, lock }: Limits, isPooled: boolean): PoolConfig {
  return {
    connectionTimeoutMillis: connect,
    ...(!isPooled && { statement_timeout: statement, lock_timeout: lock }),
    query_timeout: statement + graceForAnswer,
  };
}

const longestStart = 5 * minute;

/**
 * Waits for a server that is starting, or recovers from a crash: five minutes at most.
 *
 * @param say is told once why there is a wait
 * @throws {Unavailable} when the server still does not answer; any other error at once.
 */
export async function waitForDatabase(url: string, say: (line: string) => void): Promise<void> {
  const { query, close } = openDatabase(url, { max: 1, limits: pageLimits });
  const deadline = performance.now() + longestStart;
  let said = false;
  try {
    for (;;) {
      try {
        await query("select 1");
        return;
      } catch (error) {
        if (!(error instanceof Unavailable) || performance.now() > deadline) throw error;
        if (!said) say(`Waiting for the database: ${error.why}`);
        said = true;
      }
      await sleep(100);
    }
  } finally {
    await close();
  }
}

const migrationsLock = 727_274;

/**
 * Brings the tables to their newest form. Processes that start together wait for each other, by a lock of
 * the connection: not through a pooler.
 *
 * @param folder where the numbered SQL files lie
 */
export async function applyMigrations(url: string, folder = getMigrationsFolder()): Promise<void> {
  const { db, close } = openDatabase(url, { max: 1 });
  try {
    await db.execute(sql`select pg_advisory_lock(${migrationsLock})`);
    await migrate(db, { migrationsFolder: folder });
  } finally {
    await close();
  }
}

/** The folder beside the sources; the built server runs from the clone's root as well. */
function getMigrationsFolder(): string {
  return fileURLToPath(new URL("db/migrations", `file://${process.cwd()}/`));
}

/** Small enough that other work does not wait long. */
const batchSize = 500;
/** A run that finds more leaves it to the next. */
const mostBatches = 200;

/**
 * Deletes expired rows in small steps, each in its own transaction. A row that is being changed stays for the
 * next run.
 *
 * @param key the table's primary key
 * @returns how many there were.
 */
export async function deleteRowsInSteps(
  db: Database,
  table: PgTable,
  key: PgColumn,
  isOver: SQL | undefined,
): Promise<number> {
  let purged = 0;
  for (let batch = 0; batch < mostBatches; batch++) {
    const over = db
      .select({ key })
      .from(table)
      .where(isOver)
      .limit(batchSize)
      .for("update", { skipLocked: true });
    // An array is made once; a plain subquery may be run again for each row and take more than a batch.
    const { rowCount } = await db.delete(table).where(sql`${key} = any(array(${over}))`);
    purged += rowCount ?? 0;
    if ((rowCount ?? 0) < batchSize) break;
  }
  return purged;
}

/** Checks whether a text from an address or a form can be an id. PostgreSQL treats any other as an error. */
export function isUuid(text: unknown): text is string {
  return typeof text === "string" && /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text);
}

/** A result and the time of its query. */
type Reading = { value: Promise<unknown>; at: number };

const readings = new WeakMap<Database, Map<string, Reading>>();

/**
 * Returns a result that is at most a minute old, for figures over many rows.
 *
 * @param name tells the readings of one database apart
 * @param worth in milliseconds; a reading that takes less is made at every look
 */
export async function readSparingly<Value>(
  db: Database,
  name: string,
  read: () => Promise<Value>,
  worth = 0,
): Promise<Value> {
  const ofDatabase = readings.get(db) ?? new Map<string, Reading>();
  readings.set(db, ofDatabase);
  const moment = now().getTime();
  const cached = ofDatabase.get(name);
  // Older than that is also what was read before the clock was set back.
  if (cached && Math.abs(moment - cached.at) < minute) return cached.value as Promise<Value>;
  const begun = performance.now();
  const value = read();
  ofDatabase.set(name, { value, at: moment });
  value.then(
    () => performance.now() - begun < worth && ofDatabase.delete(name),
    () => ofDatabase.delete(name),
  );
  return value;
}

/**
 * Builds a frequent query once for each handle, which saves 0.05 to 0.5 ms, much of the time of a page. Values
 * that differ between requests are `sql.placeholder`s. By its name PostgreSQL plans it once for each
 * connection.
 *
 * @param prepare builds the query and ends with `.prepare("a_name_of_its_own")`
 */
export function createPreparedQuery<Query>(
  prepare: (db: Database) => Query,
): (db: Database) => Query {
  const queries = new WeakMap<Database, Query>();
  return (db) => {
    const known = queries.get(db);
    if (known !== undefined) return known;
    const query = prepare(db);
    queries.set(db, query);
    return query;
  };
}
