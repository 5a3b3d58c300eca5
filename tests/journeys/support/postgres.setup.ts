import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbeddedPostgres } from "../../../server/embedded-postgres.ts";

/** Starts one PostgreSQL for all journeys; each worker's product has its own database. */
export default async function setup(): Promise<() => Promise<void>> {
  if (process.env.TEST_DATABASE_URL) return async () => {};
  const dataDir = await mkdtemp(join(tmpdir(), "naksha-journeys-"));
  const server = await startEmbeddedPostgres({ dataDir, log: () => {}, durable: false });
  process.env.TEST_DATABASE_URL = server.url;
  return async () => {
    await server.stop();
    for (const folder of [server.folder, dataDir])
      await rm(folder, { recursive: true, force: true });
  };
}
