import { type Query, type QueryWithTypings, sql } from "drizzle-orm";
import { NodePgSession, NodePgTransaction } from "drizzle-orm/node-postgres";
import type { PgDialect, PgPreparedQuery, PreparedQueryConfig } from "drizzle-orm/pg-core";
import type { Pool, PoolClient } from "pg";
import { Unavailable } from "./errors.ts";
import { asQueryError } from "./query-errors.server.ts";

type NoSchema = Record<string, never>;
type Transaction = NodePgTransaction<NoSchema, NoSchema>;

/**
 * Drizzle's session, but for three things: its errors hold no values, the zero character never reaches
 * PostgreSQL, and a connection that broke within a transaction is thrown away.
 */
export class Session extends NodePgSession<NoSchema, NoSchema> {
  readonly #connections: Pool | PoolClient;

  constructor(connections: Pool | PoolClient, dialect: PgDialect) {
    super(connections, dialect, undefined);
    this.#connections = connections;
  }

  override prepareQuery<T extends PreparedQueryConfig = PreparedQueryConfig>(
    query: Query,
    ...how: Rest<Parameters<NodePgSession<NoSchema, NoSchema>["prepareQuery"]>>
  ): PgPreparedQuery<T> {
    const { typings }: QueryWithTypings = query;
    const params = query.params.map((value, place) => withoutZero(value, typings?.[place]));
    const prepared = super.prepareQuery<T>({ ...query, params }, ...how);
    const execute = prepared.execute.bind(prepared);
    prepared.execute = (values = {}) =>
      execute(withoutZeros(values)).catch((error: unknown) => {
        throw asQueryError(error, query.sql);
      });
    return prepared;
  }

  override async transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const client = await this.#connect();
    const tx: Transaction = new NodePgTransaction(
      this.dialect,
      new Session(client, this.dialect),
      undefined,
    );
    try {
      await tx.execute(sql`begin`);
      const result = await work(tx);
      await tx.execute(sql`commit`);
      client.release();
      return result;
    } catch (error) {
      client.release(await brokenBy(error, tx));
      throw error;
    }
  }

  async #connect(): Promise<PoolClient> {
    try {
      return await (this.#connections as Pool).connect();
    } catch (error) {
      throw asQueryError(error);
    }
  }
}

type Rest<All extends unknown[]> = All extends [unknown, ...infer Others] ? Others : never;

/** No keyboard types it, and PostgreSQL takes it in no text; in JSON it stands as an escape. */
function withoutZero(value: unknown, typing: string | undefined): unknown {
  if (typeof value !== "string") return value;
  return typing === "json"
    ? value.replaceAll(/(?<!\\)((?:\\\\)*)\\u0000/g, "$1")
    : value.replaceAll("\u0000", "");
}

/** What is filled into a query that was prepared before. */
function withoutZeros(values: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(values);
  return Object.fromEntries(entries.map(([name, value]) => [name, withoutZero(value, undefined)]));
}

/** Rolls back where that can be done. @returns true where the connection can only be thrown away. */
async function brokenBy(error: unknown, tx: Transaction): Promise<boolean> {
  if (error instanceof Unavailable) return true;
  return tx.execute(sql`rollback`).then(
    () => false,
    () => true,
  );
}
