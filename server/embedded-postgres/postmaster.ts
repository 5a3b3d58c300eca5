import { execFile } from "node:child_process";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import type { Cluster } from "./cluster.ts";

/** A running server: its main process, which PostgreSQL calls the postmaster, and its port. */
export type Server = { pid: number; port: number };

const secondsToSettle = 60;

/**
 * Finds the server that uses this data. Waits if it is starting or stopping, and cleans up if it died.
 */
export async function findServer(cluster: Cluster): Promise<Server | null> {
  const deadline = performance.now() + secondsToSettle * 1000;
  for (;;) {
    const file = await readPostmasterFile(cluster);
    if (!file) return null;
    if (!(await isServerOf(cluster, file.pid))) {
      // PostgreSQL would refuse to start while any process has this id.
      await rm(getPostmasterFile(cluster), { force: true });
      return null;
    }
    if (file.ready) return file;
    if (performance.now() > deadline)
      throw new Error(`PostgreSQL (process ${file.pid}) is stuck while starting or stopping.`);
    await sleep(20);
  }
}

/** Checks the postmaster file first, because an ended process without a waiting parent can stay listed. */
export async function isRunning(cluster: Cluster, server: Server): Promise<boolean> {
  const file = await readPostmasterFile(cluster);
  return file?.pid === server.pid && (await isServerOf(cluster, server.pid));
}

/** Reads the file that the server writes to its data folder and deletes when it ends. */
export async function readPostmasterFile(
  cluster: Cluster,
): Promise<(Server & { ready: boolean }) | null> {
  const text = await readFile(getPostmasterFile(cluster), "utf8").catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return "";
      throw error;
    },
  );
  const [pid, , , port, , , , status] = text.split("\n").map((line) => line.trim());
  return Number(pid) > 0
    ? { pid: Number(pid), port: Number(port), ready: status === "ready" }
    : null;
}

/** Checks whether the process serves this data, since process ids are reused. */
async function isServerOf(cluster: Cluster, pid: number): Promise<boolean> {
  if (process.platform === "win32") return isAlive(pid);
  const commandLine = await readCommandLine(pid).catch(() => "");
  return commandLine.includes("postgres -D ") && commandLine.includes(cluster.folder);
}

async function readCommandLine(pid: number): Promise<string> {
  if (process.platform === "linux")
    return (await readFile(`/proc/${pid}/cmdline`, "utf8")).replaceAll("\0", " ");
  return (await promisify(execFile)("ps", ["-ww", "-o", "args=", "-p", `${pid}`])).stdout;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function getPostmasterFile(cluster: Cluster): string {
  return join(cluster.folder, "postmaster.pid");
}
