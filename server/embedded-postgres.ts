import { setTimeout as sleep } from "node:timers/promises";
import { getPostgresHome } from "./embedded-postgres/account.ts";
import { findBinaries } from "./embedded-postgres/binaries.ts";
import { findOrCreateCluster } from "./embedded-postgres/cluster.ts";
import type { Cluster } from "./embedded-postgres/cluster.ts";
import { releaseLease, acquireLease } from "./embedded-postgres/lease.ts";
import type { Lease } from "./embedded-postgres/lease.ts";
import { findServer } from "./embedded-postgres/postmaster.ts";
import type { Server } from "./embedded-postgres/postmaster.ts";
import { stopPostgres, startServer } from "./embedded-postgres/server.ts";
import { withLock } from "./process/process-lock.ts";

export type EmbeddedPostgres = {
  /** Connects to the database `naksha` as its owner, with a password, on 127.0.0.1. */
  url: string;
  /** The server's folder with data, password and log. It can be deleted after `stop`. */
  folder: string;
  /** True if the server was already running, started by another copy of the product. */
  reused: boolean;
  /** Stops the server, unless someone else is connected to it. */
  stop(): Promise<void>;
};

/**
 * Starts a PostgreSQL on this machine, or connects to the one that already uses this data.
 *
 * @param durable false trades crash safety for speed, for tests
 * @throws {Error} with the last lines of the server's log if it does not start.
 */
export async function startEmbeddedPostgres(options: {
  dataDir: string;
  log: (message: string) => void;
  durable?: boolean;
}): Promise<EmbeddedPostgres> {
  const { dataDir, log, durable = true } = options;
  const home = await getPostgresHome(dataDir);
  const binaries = await findBinaries(home);

  const enter = () =>
    withLock(home.lock, async () => {
      const cluster = await findOrCreateCluster(home, binaries, { durable, log });
      return await join(cluster, durable);
    });
  let joined = await enter();
  const { lease, reused } = joined;
  log(
    `PostgreSQL ${reused ? "was already running" : "is running"} on port ${joined.server.port}, data in ${home.folder}`,
  );

  const ending = new AbortController();
  const watching = keepRunning();
  return {
    url: lease.url,
    folder: home.folder,
    reused,
    stop: runOnce(async () => {
      ending.abort();
      await watching;
      await withLock(home.lock, () => stopUsingPostgres(joined, log));
    }),
  };

  /** Restarts a server that ended, which the lost lease connection shows. */
  async function keepRunning(): Promise<void> {
    while (!ending.signal.aborted) {
      await Promise.race([joined.lease.connection.ended, waitForAbort(ending.signal)]);
      if (ending.signal.aborted) return;
      try {
        joined = await enter();
        log(formatRestart(joined, lease));
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        log(`PostgreSQL could not be restarted: ${why}`);
        await sleep(pauseMs, null, { signal: ending.signal, ref: false }).catch(() => {});
      }
    }
  }
}

/** The pause between attempts to restart the server. */
const pauseMs = 5_000;

function waitForAbort(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) =>
    signal.addEventListener("abort", () => resolve(), { once: true }),
  );
}

function formatRestart({ server, lease, reused }: Joined, first: Lease): string {
  if (lease.url !== first.url)
    return `PostgreSQL now uses another port, ${server.port}. Restart Naksha.`;
  return `PostgreSQL ${reused ? "closed all connections and is running again" : "had stopped and was restarted"}`;
}

type Joined = { cluster: Cluster; server: Server; lease: Lease; reused: boolean };

async function join(cluster: Cluster, durable: boolean): Promise<Joined> {
  const running = await findServer(cluster);
  const server = running ?? (await startServer(cluster, durable));
  return { cluster, server, lease: await acquireLease(cluster, server), reused: running !== null };
}

async function stopUsingPostgres(
  { cluster, server, lease }: Joined,
  log: (message: string) => void,
): Promise<void> {
  const others = await releaseLease(lease);
  if (others > 0) {
    log(`PostgreSQL keeps running for ${others} other connection${others === 1 ? "" : "s"}`);
    return;
  }
  await stopPostgres(cluster, server);
}

function runOnce<T>(work: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => (result ??= work());
}
