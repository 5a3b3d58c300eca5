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

/** Holds the lock `file` as long as this process lives. @returns false when another one holds it. */
export async function acquireProcessLock(file: string): Promise<boolean> {
  const lock = await openLock(file);
  if (!isLockTaken(lock)) {
    lock.close();
    return false;
  }
  held.push(lock);
  return true;
}

/** Keeps a reference to each lock, which would otherwise be closed and released. */
const held: DatabaseSync[] = [];

async function acquire(file: string): Promise<DatabaseSync> {
  const lock = await openLock(file);
  while (!isLockTaken(lock)) await sleep(20);
  return lock;
}

async function openLock(file: string): Promise<DatabaseSync> {
  await mkdir(dirname(file), { recursive: true });
  return new DatabaseSync(file, { timeout: 0 });
}

function isLockTaken(lock: DatabaseSync): boolean {
  try {
    lock.exec("BEGIN EXCLUSIVE");
    return true;
  } catch (error) {
    if (isBusy(error)) return false;
    lock.close();
    throw error;
  }
}

function isBusy(error: unknown): boolean {
  const SQLITE_BUSY = 5;
  return error instanceof Error && "errcode" in error && error.errcode === SQLITE_BUSY;
}
