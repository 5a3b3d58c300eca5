import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbeddedPostgres } from "../../server/embedded-postgres.ts";

/**
 * A PostgreSQL for a tool that starts products of its own: `startProduct` makes its databases there.
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
