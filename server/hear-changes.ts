import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import type { Log } from "../app/platform/log.server.ts";
import type { PageCache } from "./page-cache.ts";

const pauseMs = 1000;

/**
 * Empties the page cache whenever jobs change, in whichever process that happens. While the
 * connection that hears of changes is broken, the cache is not trusted.
 *
 * @returns how to stop hearing.
 */
export function hearChanges(databaseUrl: string, cache: PageCache, log: Log): () => Promise<void> {
  const ending = new AbortController();
  let client: pg.Client | null = null;

  async function listen(): Promise<void> {
    while (!ending.signal.aborted) {
      const connection = new pg.Client({
        connectionString: databaseUrl,
        application_name: "naksha",
      });
      client = connection;
      const broken = new Promise<void>((resolve) => {
        connection.on("error", () => resolve());
        connection.on("end", () => resolve());
      });
      connection.on("notification", () => cache.empty());
      try {
        await connection.connect();
        await connection.query("listen jobs_changed");
        cache.setTrusted(true);
        await broken;
      } catch (error) {
        log.warn({ err: error }, "cannot hear of changes");
      }
      cache.setTrusted(false);
      await connection.end().catch(() => {});
      await wait(pauseMs, null, { signal: ending.signal }).catch(() => {});
    }
  }

  const listening = listen();
  return async () => {
    ending.abort();
    await client?.end().catch(() => {});
    await listening;
  };
}
