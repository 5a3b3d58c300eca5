import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * Runs `work` while no other process, and no other caller in this one, holds the lock `file`.
 *
 * The lock is SQLite's on an empty file: the kernel drops it when its holder dies, however it
 * dies. A process id in a file would have to be guessed stale, and containers reuse the ids.
 */
export async function withLock<T>(file: string, work: () => Promise<T>): Promise<T> {
  const lock = await acquire(file);
  try {
    return await work();
  } finally {
    lock.close();
  }
}

async function acquire(file: string): Promise<DatabaseSync> {
  await mkdir(dirname(file), { recursive: true });
  const lock = new DatabaseSync(file, { timeout: 0 });
  for (;;) {
    try {
      lock.exec("BEGIN EXCLUSIVE");
      return lock;
    } catch (error) {
      if (!isBusy(error)) {
        lock.close();
        throw error;
      }
    }
    await sleep(20);
  }
}

function isBusy(error: unknown): boolean {
  const SQLITE_BUSY = 5;
  return error instanceof Error && "errcode" in error && error.errcode === SQLITE_BUSY;
}
