import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import type { Log } from "../app/platform/log.server.ts";

const pauseMs = 1000;

/** What is remembered of the jobs, and must be forgotten when they change. */
export type Memory = {
  /** Forgets everything: something has changed. */
  empty(): void;
  /** While false, nothing is remembered: nobody would tell us of a change. */
  setTrusted(trusted: boolean): void;
};

/**
 * Empties these memories whenever jobs change, in whichever process that happens. While the
 * connection that hears of changes is broken, they are not trusted.
 *
 * @returns how to stop hearing.
 */
export function hearChanges(
  databaseUrl: string,
  memories: Memory[],
  log: Log,
): () => Promise<void> {
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
      connection.on("notification", () => memories.forEach((memory) => memory.empty()));
      try {
        await connection.connect();
        await connection.query("listen jobs_changed");
        memories.forEach((memory) => memory.setTrusted(true));
        await broken;
      } catch (error) {
        log.warn({ err: error }, "cannot hear of changes");
      }
      memories.forEach((memory) => memory.setTrusted(false));
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
