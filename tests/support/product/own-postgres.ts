import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { startEmbeddedPostgres } from "../../../server/embedded-postgres.ts";

/**
 * Starts a PostgreSQL for a tool that starts products; `startProduct` creates their databases there.
 *
 * @param durable false where what a crash would lose does not matter, and speed is not measured.
 * @returns how to end it; its data goes with it.
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

/** Runs statements on a server, one after the other, as whom its address names. */
export async function onServer(url: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

/**
 * Drops a database whose users may still be on their way out. Not by force, which a role that is no
 * superuser is refused while the server itself cleans up in there.
 */
export function dropDatabase(server: string, name: string): Promise<void> {
  return onServer(
    server,
    `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = '${name}' and backend_type = 'client backend'`,
    `drop database ${name}`,
  );
}
