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
 * A connection pool or a transaction in it. Commands take it as their first argument, since any other handle would
 * miss the rows of the current transaction.
 */
export type Database = PgDatabase<NodePgQueryResultHKT>;

/** An open pool. */
export type DatabasePool = {
  db: Database;
  /** For libraries with their own SQL. It throws the same errors as `db`. */
  // oxlint-disable-next-line typescript/no-explicit-any -- the library's SQL decides the rows
  query(text: string, values?: unknown[]): Promise<{ rows: any[] }>;
  use(): PoolUse;
  close(): Promise<void>;
};

/** The numbers of busy and idle connections, and of callers waiting for one. */
type PoolUse = { busy: number; idle: number; waiting: number };

/** The timeouts in milliseconds after which work fails as `Unavailable`. */
type Limits = { connect: number; statement: number; lock: number };

/**
 * The limits of a page.
 *
 * @param seconds the time within which a page must answer, since a person is waiting
 */
export function getPageLimits(seconds: number): Limits {
  return {
    connect: 0.4 * seconds * second,
    statement: 0.5 * seconds * second,
    lock: 0.4 * seconds * second,
  };
}

/** Limits for tasks and streamed documents, since no one waits for them. */
export const taskLimits: Limits = {
  connect: 10 * second,
  statement: 2 * minute,
  lock: 20 * second,
};

/** A healthy server cancels a statement within this time. A frozen one doesn't, so the client gives up. */
const graceForAnswer = 0.3 * second;

/**
 * Opens a pool of connections to the PostgreSQL server (15 or newer) at `url`.
 *
 * @param limits without them work has no timeouts, as for migrations
 * @param name the name of the connections on the server
 * @param isPooled true if `url` is a pooler's, which takes no limits for a connection. Then only the client times
 * out, and the server's limits come from its role.
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
    // A new connection costs more than most queries. Many networks forget one that is idle for longer.
    idleTimeoutMillis: 5 * minute,
    ...(limits && buildPoolLimits(limits, isPooled)),
  });
  // A broken connection fails at its next query, and an idle one is replaced.
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
 * The driver's pool, except that it keeps a connection whose query failed because of its values. The driver would
 * discard it, and a new connection costs more than most queries.
 */
function createPool(config: PoolConfig): Pool {
  const pool = new Pool(config);
  pool.query = (async (...query: [string, unknown[]]) => {
    const client = await pool.connect();
    try {
      const result = await client.query(...query);
      client.release();
      return result;
    } catch (error) {
      client.release(!isValueError(error));
      throw error;
    }
  }) as Pool["query"];
  return pool;
}

/** Checks for wrong data and violated constraints. Other errors may come from the connection or its state. */
function isValueError(error: unknown): boolean {
  return error instanceof DatabaseError && /^2[23]/.test(error.code ?? "");
}

function buildPoolLimits({ connect, statement, lock }: Limits, isPooled: boolean): PoolConfig {
  return {
    connectionTimeoutMillis: connect,
    ...(!isPooled && { statement_timeout: statement, lock_timeout: lock }),
    query_timeout: statement + graceForAnswer,
  };
}

const startTimeout = 5 * minute;

/**
 * Waits up to five minutes for a server that is starting or recovering from a crash.
 *
 * @param say called once with the reason for the wait
 * @throws {Unavailable} when the server still doesn't answer. Other errors are thrown immediately.
 */
export async function waitForDatabase(url: string, say: (line: string) => void): Promise<void> {
  const { query, close } = openDatabase(url, { max: 1, limits: getPageLimits(5) });
  const deadline = performance.now() + startTimeout;
  let isReported = false;
  try {
    for (;;) {
      try {
        await query("select 1");
        return;
      } catch (error) {
        if (!(error instanceof Unavailable) || performance.now() > deadline) throw error;
        if (!isReported) say(`Waiting for the database: ${error.why}`);
        isReported = true;
      }
      await sleep(100);
    }
  } finally {
    await close();
  }
}

const migrationsLock = 727_274;

/**
 * Applies new migrations. Processes that start together wait for each other with a lock of the connection, so `url`
 * must not be a pooler's.
 *
 * @param folder the folder with the numbered SQL files
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

/** Returns the folder in the project's root, where the built server runs too. */
function getMigrationsFolder(): string {
  return fileURLToPath(new URL("db/migrations", `file://${process.cwd()}/`));
}

/** Small enough that other work doesn't wait long. */
const batchSize = 500;
/** The next run deletes the rest. */
const maxBatches = 200;

/**
 * Deletes expired rows in small steps, each in its own transaction. A locked row is left for the next run.
 *
 * @param key the table's primary key
 * @returns the number of deleted rows
 */
export async function deleteRowsInSteps(
  db: Database,
  table: PgTable,
  key: PgColumn,
  isOver: SQL | undefined,
): Promise<number> {
  let deleted = 0;
  for (let batch = 0; batch < maxBatches; batch++) {
    const over = db
      .select({ key })
      .from(table)
      .where(isOver)
      .limit(batchSize)
      .for("update", { skipLocked: true });
    // An array is evaluated once. A plain subquery may run again for each row and select more than a batch.
    const { rowCount } = await db.delete(table).where(sql`${key} = any(array(${over}))`);
    deleted += rowCount ?? 0;
    if ((rowCount ?? 0) < batchSize) break;
  }
  return deleted;
}

/** Checks whether a text from an address or a form can be an id. PostgreSQL would throw for any other text. */
export function isUuid(text: unknown): text is string {
  return typeof text === "string" && /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text);
}

/** A result, the time of its query, and for how many milliseconds it is kept. */
type Reading = { value: Promise<unknown>; at: number; keptFor: number };

const readings = new WeakMap<Database, Map<string, Reading>>();

/** Repeating a query all the time takes at most this part of the time: a slow one is kept twenty times as long as it took. */
const maxShareOfTime = 1 / 20;

/**
 * Returns a result that is at most a minute old, for figures over many rows.
 *
 * @param name the key of the reading in its database
 * @param worth a query that takes less than these milliseconds isn't cached, and one that takes more is only cached
 * until repeating it costs little
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
  // Math.abs also expires a reading from before the clock was set back.
  if (cached && Math.abs(moment - cached.at) < cached.keptFor)
    return cached.value as Promise<Value>;
  const startedAt = performance.now();
  const value = read();
  const reading = { value, at: moment, keptFor: minute };
  ofDatabase.set(name, reading);
  value.then(
    () => {
      const took = performance.now() - startedAt;
      if (took < worth) ofDatabase.delete(name);
      else if (worth > 0) reading.keptFor = Math.min(minute, took / maxShareOfTime);
    },
    () => ofDatabase.delete(name),
  );
  return value;
}

/**
 * Builds a frequent query once for each handle, which saves 0.05 to 0.5 ms, a large part of a page's time. Values that
 * differ between requests are `sql.placeholder`s. PostgreSQL plans a named query once for each connection.
 *
 * @param prepare builds the query and ends with `.prepare("a_name_of_its_own")`
 */
export function createPreparedQuery<Query>(
  prepare: (db: Database) => Query,
): (db: Database) => Query {
  const queries = new WeakMap<Database, Query>();
  return (db) => {
    const existing = queries.get(db);
    if (existing !== undefined) return existing;
    const query = prepare(db);
    queries.set(db, query);
    return query;
  };
}
