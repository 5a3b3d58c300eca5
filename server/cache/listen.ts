import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import type { Log } from "../../app/platform/log.server.ts";
import type { ChangeCache } from "./until-change.ts";

const pauseMs = 1000;
/** A server that is frozen, or a network that is gone, closes no connection: so it is asked. */
const checkMs = 10_000;
const answerMs = 5_000;

/**
 * Empties the cache whenever jobs change, in whichever process that happens. While the connection that
 * hears of changes is broken, it is not trusted.
 *
 * @returns how to stop hearing.
 */
export function hearChanges(
  databaseUrl: string,
  cache: ChangeCache,
  log: Log,
): () => Promise<void> {
  const ending = new AbortController();
  let client: pg.Client | null = null;
  let said = false;

  async function listen(): Promise<void> {
    while (!ending.signal.aborted) {
      const connection = new pg.Client({
        connectionString: databaseUrl,
        application_name: "naksha changes",
        connectionTimeoutMillis: answerMs,
        query_timeout: answerMs,
      });
      client = connection;
      const broken = new AbortController();
      connection.on("error", () => broken.abort());
      connection.on("end", () => broken.abort());
      connection.on("notification", () => cache.empty());
      try {
        await connection.connect();
        await connection.query("listen jobs_changed");
        cache.setTrusted(true);
        said = false;
        while (await passes(checkMs, broken.signal)) await connection.query("select 1");
      } catch (error) {
        if (!said) log.warn({ why: (error as Error).message }, "cannot hear of changes");
        said = true;
      }
      cache.setTrusted(false);
      await connection.end().catch(() => {});
      await passes(pauseMs, ending.signal);
    }
  }

  const listening = listen();
  return async () => {
    ending.abort();
    await client?.end().catch(() => {});
    await listening;
  };
}

/** @returns false when it was cut short. */
function passes(ms: number, cut: AbortSignal): Promise<boolean> {
  return wait(ms, true, { signal: cut }).catch(() => false);
}
