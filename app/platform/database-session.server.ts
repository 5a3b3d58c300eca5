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
 * Drizzle's session with three differences: errors contain no values, the null character never reaches PostgreSQL,
 * and a connection that breaks within a transaction is discarded.
 */
export class Session extends NodePgSession<NoSchema, NoSchema> {
  readonly #connections: Pool | PoolClient;
  readonly #isPooled: boolean;

  /** @param isPooled true if a pooler may run each statement on another connection. */
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
    // A named statement exists only on one connection.
    const preparedName = this.#isPooled ? undefined : name;
    const prepared = super.prepareQuery<T>({ ...query, params }, fields, preparedName, ...how);
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
 * Removes the null character, which PostgreSQL doesn't accept. JSON contains it as an escape.
 */
function removeNullCharacters(value: unknown, typing: string | undefined): unknown {
  if (typeof value !== "string") return value;
  return typing === "json"
    ? value.replaceAll(/(?<!\\)((?:\\\\)*)\\u0000/g, "$1")
    : value.replaceAll("\u0000", "");
}

/** Removes the null character from the values of a prepared query. */
function removeNullCharactersFromValues(values: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(values);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, removeNullCharacters(value, undefined)]),
  );
}

/** Rolls back if possible. @returns true if the connection must be discarded */
async function isConnectionBroken(error: unknown, tx: Transaction): Promise<boolean> {
  if (error instanceof Unavailable && error.service === "database") return true;
  return tx.execute(sql`rollback`).then(
    () => false,
    () => true,
  );
}

/**
 * The failure of a query without any values, since a log must not contain tokens, passwords or messages.
 */
class QueryFailed extends Error {
  override name = "QueryFailed";
  /** The statement, with numbered placeholders for values. */
  readonly query: string | undefined;
  /** PostgreSQL's SQLSTATE, or the system's code for a connection error. */
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
 * Runs a query in a trace, which shows the statement without its values.
 *
 * @throws {Unavailable | QueryFailed} instead of the driver's error
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
 * Converts a driver's error into one that may be logged and shown.
 *
 * @returns `Unavailable` if the database can't be reached or is too slow, otherwise `QueryFailed`. An error that
 * doesn't come from a query is returned unchanged.
 */
function toQueryError(thrown: unknown, query?: string): unknown {
  const error = thrown instanceof DrizzleQueryError ? thrown.cause : thrown;
  if (!(error instanceof Error) || error instanceof Unavailable || error instanceof QueryFailed)
    return error;
  const failed = new QueryFailed(error, query);
  if (!isTemporary(error)) return failed;
  const unavailable = new Unavailable("database", failed);
  recordUse("database", unavailable.why);
  return unavailable;
}

/** Connection lost, no resources, starting or stopping, cancelled by a limit: 08, 53, 57, 55P03, 25P0x. */
const temporaryStates = /^(08|53|57P0|57014|55P03|25P0[34])/;
/** The driver's own errors have no code. */
const temporaryMessages =
  /^(Connection terminated|timeout (expired|exceeded)|Query read timeout|Client (has encountered|was closed))/;

function isTemporary(error: Error): boolean {
  if (error instanceof DatabaseError) return temporaryStates.test(error.code ?? "");
  return getErrorCode(error) ? isConnectionError(error) : temporaryMessages.test(error.message);
}

/** Error classes whose first line quotes only names, such as tables. Others may quote a value. */
const namingStates = /^(08|23|28|3D|3F|42(?!601)|53|55|57)/;

/** Removes everything between the first and the last quotation mark, since values may contain some. */
function removeQuotedValues({ code, message }: DatabaseError): string {
  return namingStates.test(code ?? "") ? message : message.replace(/".*"/s, '"…"');
}
