import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { startEmbeddedPostgres } from "../../../server/embedded-postgres.ts";

/**
 * Starts a PostgreSQL for tools that start products. `startProduct` creates their databases on it.
 *
 * @param durable false if a crash may lose data and speed is not measured
 * @returns a function that stops it and deletes its data
 */
export async function ownPostgres({ durable }: { durable: boolean }) {
  const dataDir = await mkdtemp(join(tmpdir(), "naksha-own-"));
  const postgres = await startEmbeddedPostgres({ dataDir, log: () => {}, durable });
  process.env.TEST_DATABASE_URL = postgres.url;
  return {
    async end(): Promise<void> {
      await postgres.stop();
      for (const folder of [postgres.folder, dataDir])
        await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Runs statements on a server, one after the other, as the user in its URL. */
export async function onServer(url: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

/**
 * Drops a database whose connections may still be closing. A role that is not a superuser cannot force it while
 * autovacuum runs there.
 */
export function dropDatabase(server: string, name: string): Promise<void> {
  return onServer(
    server,
    `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = '${name}' and backend_type = 'client backend'`,
    `drop database ${name}`,
  );
}
