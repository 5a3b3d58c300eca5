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
  /** Leads to the database `naksha` as its owner, with a password, on 127.0.0.1. */
  url: string;
  /** The folder with everything of this server: data, password, log. Free to delete once stopped. */
  folder: string;
  /** The server was already running: started by another copy, or left by one that was killed. */
  reused: boolean;
  /** Stops the server, unless someone else is connected to it. */
  stop(): Promise<void>;
};

/**
 * Starts a real PostgreSQL on this machine, or joins the one that already runs on this data.
 *
 * @param durable false gives up safety against power cuts for speed: for tests.
 * @throws {Error} with the last lines of the server's log when it does not start.
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
    `PostgreSQL ${reused ? "was already running" : "runs"} on port ${joined.server.port}, data in ${home.folder}`,
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

  /** The server is not our child process, so the end of the lease tells us that it ended. */
  async function keepRunning(): Promise<void> {
    while (!ending.signal.aborted) {
      await Promise.race([joined.lease.connection.ended, waitForAbort(ending.signal)]);
      if (ending.signal.aborted) return;
      try {
        joined = await enter();
        log(describeReturn(joined, lease));
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        log(`PostgreSQL cannot be started again: ${why}`);
        await sleep(pauseMs, null, { signal: ending.signal, ref: false }).catch(() => {});
      }
    }
  }
}

/** Between two attempts to start a server again. */
const pauseMs = 5_000;

function waitForAbort(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) =>
    signal.addEventListener("abort", () => resolve(), { once: true }),
  );
}

function describeReturn({ server, lease, reused }: Joined, first: Lease): string {
  if (lease.url !== first.url)
    return `PostgreSQL had to take another port, ${server.port}. Please start Naksha anew.`;
  return `PostgreSQL ${reused ? "cut all connections, and goes on" : "had ended, and was started again"}`;
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
