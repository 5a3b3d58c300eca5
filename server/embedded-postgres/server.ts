import { execFile, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { open, readFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { getSpawnOptions } from "./account.ts";
import type { Cluster } from "./cluster.ts";
import { findServer, isRunning, readPostmasterFile, type Server } from "./postmaster.ts";

/** Leaves time for a recovery on a slow disk, which would restart if it were interrupted. */
const secondsToStart = 300;
const secondsToTakeOver = 10;
const secondsToStop = 10;
const maxLogSize = 5_000_000;

/**
 * Starts the server and waits until it accepts connections. Call it under the home's lock.
 *
 * @throws {Error} with the last lines of the server's log.
 */
export async function startServer(cluster: Cluster, durable: boolean): Promise<Server> {
  const deadline = performance.now() + secondsToTakeOver * 1000;
  for (;;) {
    const result = await startOnce(cluster, durable);
    if (result.server) return result.server;
    // Another process took the port, or the last processes of a killed server are still ending.
    const isTemporary = /in use|already exists/.test(result.logged);
    if (!isTemporary || performance.now() > deadline) {
      throw new Error(
        `PostgreSQL did not start: ${result.failure}. From ${cluster.logFile}:\n${result.logged}`,
      );
    }
    await sleep(100);
    const running = await findServer(cluster);
    if (running) return running;
  }
}

type Attempt = { server: Server } | { server: null; failure: string; logged: string };

async function startOnce(cluster: Cluster, durable: boolean): Promise<Attempt> {
  const { log, size } = await openLog(cluster.logFile);
  const args = ["-D", cluster.folder, ...getServerArguments(await findFreePort(cluster), durable)];
  const child = spawn(cluster.binaries.postgres, args, {
    ...getSpawnOptions(cluster.home),
    // A separate process group, since Ctrl-C must not stop the database before requests are drained.
    detached: true,
    stdio: ["ignore", log.fd, log.fd],
    windowsHide: true,
  });
  const end = { failure: "" };
  child.on("error", (error) => (end.failure = error.message));
  child.on("exit", (code, signal) => (end.failure = `it ended with ${signal ?? `code ${code}`}`));
  child.unref();
  await log.close();

  const deadline = performance.now() + secondsToStart * 1000;
  while (end.failure === "" && performance.now() < deadline) {
    const postmaster = await readPostmasterFile(cluster);
    if (postmaster?.ready && postmaster.pid === child.pid) return { server: postmaster };
    await sleep(10);
  }
  child.kill("SIGQUIT");
  const failure = end.failure || `it was not ready within ${secondsToStart} s`;
  return { server: null, failure, logged: await logSince(cluster.logFile, size) };
}

/** Stops the server cleanly. If that takes too long, forces it, which requires a recovery at the next start. */
export async function stopPostgres(cluster: Cluster, server: Server): Promise<void> {
  for (const signal of ["INT", "QUIT"] as const) {
    if (!(await isRunning(cluster, server))) return;
    await sendSignal(cluster, server.pid, signal);
    await waitForServerEnd(cluster, server);
  }
}

async function waitForServerEnd(cluster: Cluster, server: Server): Promise<void> {
  const deadline = performance.now() + secondsToStop * 1000;
  while (performance.now() < deadline && (await isRunning(cluster, server))) await sleep(10);
}

async function sendSignal(cluster: Cluster, pid: number, signal: "INT" | "QUIT"): Promise<void> {
  try {
    // Windows has no signals, so PostgreSQL's own tool sends them.
    if (process.platform === "win32")
      await promisify(execFile)(cluster.binaries.pgCtl, ["kill", signal, `${pid}`]);
    else process.kill(pid, `SIG${signal}`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

async function openLog(file: string) {
  const log = await open(file, "a", 0o600);
  const { size } = await log.stat();
  if (size < maxLogSize) return { log, size };
  await log.truncate();
  return { log, size: 0 };
}

async function logSince(file: string, size: number): Promise<string> {
  const added = (await readFile(file)).subarray(size).toString("utf8");
  return added.trim().split("\n").slice(-20).join("\n");
}

/** Below the ephemeral range, since an outgoing connection could take the port while the server is stopped. */
const ports = { lowest: 20_000, count: 12_000 };

/** Returns the previous port if it is free, so that clients can reconnect. */
async function findFreePort(cluster: Cluster): Promise<number> {
  const options = await readFile(join(cluster.folder, "postmaster.opts"), "utf8").catch(() => "");
  let port = Number(/"port=(\d+)"/.exec(options)?.[1] ?? 0);
  while (port === 0 || !(await isFree(port))) port = ports.lowest + randomInt(ports.count);
  return port;
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", () => resolve(false));
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
  });
}

/** Returns the server's settings as arguments, for a small machine and local connections only. */
function getServerArguments(port: number, durable: boolean): string[] {
  const settings: Record<string, string | number> = {
    listen_addresses: "127.0.0.1",
    port,
    // A socket's path has a maximum length that data folders can exceed.
    unix_socket_directories: "",
    max_connections: 100,
    shared_buffers: "128MB",
    work_mem: "8MB",
    random_page_cost: 1.1,
    jit: "off",
    // Parallel queries need more of /dev/shm than containers give, and more cores than two.
    max_parallel_workers_per_gather: 0,
    io_method: "sync",
    wal_level: "minimal",
    max_wal_senders: 0,
    max_wal_size: "256MB",
    timezone: "UTC",
    log_timezone: "UTC",
    ...(durable
      ? {}
      : {
          fsync: "off",
          synchronous_commit: "off",
          full_page_writes: "off",
          max_connections: 200,
          // Tests connect thousands of times and their data needs no strong password hash.
          scram_iterations: 1,
        }),
  };
  return Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
}
