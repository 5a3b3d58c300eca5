import { DrizzleQueryError, type Query, type QueryWithTypings, sql } from "drizzle-orm";
import { NodePgSession, NodePgTransaction } from "drizzle-orm/node-postgres";
import type { PgDialect, PgPreparedQuery, PreparedQueryConfig } from "drizzle-orm/pg-core";
import { DatabaseError, type Pool, type PoolClient } from "pg";
import { getErrorCode, isConnectionError, Unavailable } from "./errors.ts";
import { recordUse } from "./metrics.server.ts";
import { runTraced } from "./traces.server.ts";

type NoSchema = Record<string, never>;
type Transaction = NodePgTransaction<NoSchema, NoSchema>;

/**
 * Drizzle's session, but for three things: its errors hold no values, the zero character never reaches
 * PostgreSQL, and a connection that broke within a transaction is thrown away.
 */
export class Session extends NodePgSession<NoSchema, NoSchema> {
  readonly #connections: Pool | PoolClient;
  readonly #isPooled: boolean;

  /** @param isPooled whether each statement may come to another connection of the server's. */
  constructor(connections: Pool | PoolClient, dialect: PgDialect, isPooled: boolean) {
    super(connections, dialect, undefined);
    this.#connections = connections;
    this.#isPooled = isPooled;
  }

  override prepareQuery<T extends PreparedQueryConfig = PreparedQueryConfig>(
    query: Query,
    ...[fields, name, ...how]: Rest<Parameters<NodePgSession<NoSchema, NoSchema>["prepareQuery"]>>
  ): PgPreparedQuery<T> {
    const { typings }: QueryWithTypings = query;
    const params = query.params.map((value, place) =>
      removeNullCharacters(value, typings?.[place]),
    );
    // A statement with a name is there for one connection only.
    const known = this.#isPooled ? undefined : name;
    const prepared = super.prepareQuery<T>({ ...query, params }, fields, known, ...how);
    const execute = prepared.execute.bind(prepared);
    prepared.execute = (values = {}) =>
      runQuery(() => execute(removeNullCharactersFromValues(values)), query.sql);
    return prepared;
  }

  override async transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const client = await this.#connect();
    const tx: Transaction = new NodePgTransaction(
      this.dialect,
      new Session(client, this.dialect, this.#isPooled),
      undefined,
    );
    try {
      await tx.execute(sql`begin`);
      const result = await work(tx);
      await tx.execute(sql`commit`);
      client.release();
      return result;
    } catch (error) {
      client.release(await isConnectionBroken(error, tx));
      throw error;
    }
  }

  async #connect(): Promise<PoolClient> {
    try {
      return await (this.#connections as Pool).connect();
    } catch (error) {
      throw toQueryError(error);
    }
  }
}

type Rest<All extends unknown[]> = All extends [unknown, ...infer Others] ? Others : never;

/**
 * Removes the null character, which no keyboard types and PostgreSQL accepts in no text. JSON contains it as an
 * escape.
 */
function removeNullCharacters(value: unknown, typing: string | undefined): unknown {
  if (typeof value !== "string") return value;
  return typing === "json"
    ? value.replaceAll(/(?<!\\)((?:\\\\)*)\\u0000/g, "$1")
    : value.replaceAll("\u0000", "");
}

/** Removes it from the values of a prepared query. */
function removeNullCharactersFromValues(values: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(values);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, removeNullCharacters(value, undefined)]),
  );
}

/** Rolls back where that can be done. @returns true where the connection can only be thrown away. */
async function isConnectionBroken(error: unknown, tx: Transaction): Promise<boolean> {
  if (error instanceof Unavailable && error.service === "database") return true;
  return tx.execute(sql`rollback`).then(
    () => false,
    () => true,
  );
}

/**
 * The failure of a query, without its values and those of rows: a log must not contain tokens, passwords or
 * messages.
 */
class QueryFailed extends Error {
  override name = "QueryFailed";
  /** The statement, whose values are numbered places. */
  readonly query: string | undefined;
  /** PostgreSQL's SQLSTATE, or the system's code for what happened to the connection. */
  readonly code: string | undefined;
  readonly constraint: string | undefined;

  constructor(error: Error, query: string | undefined) {
    super(error instanceof DatabaseError ? removeQuotedValues(error) : error.message);
    this.query = query;
    this.code = getErrorCode(error);
    this.constraint = error instanceof DatabaseError ? error.constraint : undefined;
  }
}

/**
 * Asks, and waits for the answer. A trace shows the statement, whose values are numbered places.
 *
 * @throws {Unavailable | QueryFailed} whatever the driver threw
 */
export function runQuery<Rows>(ask: () => Promise<Rows>, query: string): Promise<Rows> {
  const name = /^\s*(\w+)/.exec(query)?.[1]?.toUpperCase() ?? "SQL";
  const facts = { "db.system.name": "postgresql", "db.query.text": query };
  return runTraced({ name, kind: "client", facts }, () =>
    ask().then(
      (rows) => {
        recordUse("database", null);
        return rows;
      },
      (error: unknown) => {
        throw toQueryError(error, query);
      },
    ),
  );
}

/**
 * Turns whatever a driver threw into one of two errors that may be logged and shown.
 *
 * @returns `Unavailable` when the database could not be reached or did not answer in time, else
 * `QueryFailed`; what is no error of a query comes back as it is.
 */
function toQueryError(thrown: unknown, query?: string): unknown {
  const error = thrown instanceof DrizzleQueryError ? thrown.cause : thrown;
  if (!(error instanceof Error) || error instanceof Unavailable || error instanceof QueryFailed)
    return error;
  const failed = new QueryFailed(error, query);
  if (!isPassing(error)) return failed;
  const unavailable = new Unavailable("database", failed);
  recordUse("database", unavailable.why);
  return unavailable;
}

/** Connection lost, no resources, starting or stopping, cancelled by a limit: 08, 53, 57, 55P03, 25P0x. */
const passingStates = /^(08|53|57P0|57014|55P03|25P0[34])/;
/** The driver gives its own errors no code. */
const passingWords =
  /^(Connection terminated|timeout (expired|exceeded)|Query read timeout|Client (has encountered|was closed))/;

function isPassing(error: Error): boolean {
  if (error instanceof DatabaseError) return passingStates.test(error.code ?? "");
  return getErrorCode(error) ? isConnectionError(error) : passingWords.test(error.message);
}

/** Classes of errors whose first line quotes names of tables and the like; any other may quote a value. */
const namingStates = /^(08|23|28|3D|3F|42(?!601)|53|55|57)/;

/** A value may hold quotation marks too, thus all between the first and the last of them is left out. */
function removeQuotedValues({ code, message }: DatabaseError): string {
  return namingStates.test(code ?? "") ? message : message.replace(/".*"/s, '"…"');
}
