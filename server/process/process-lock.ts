import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * Runs `work` while holding the lock `file`, exclusive across processes and callers in this one.
 *
 * It uses SQLite's lock on an empty file, which the kernel releases when its holder dies. A file with a process
 * id could be stale, and containers reuse these ids.
 */
export async function withLock<T>(file: string, work: () => Promise<T>): Promise<T> {
  const lock = await acquire(file);
  try {
    return await work();
  } finally {
    lock.close();
  }
}

/** Holds the lock `file` for the life of this process. @returns false if another process holds it */
export async function acquireProcessLock(file: string): Promise<boolean> {
  const lock = await openLock(file);
  if (!isLockTaken(lock)) {
    lock.close();
    return false;
  }
  heldLocks.push(lock);
  return true;
}

/** Keeps a reference to each lock, which would otherwise be garbage-collected and released. */
const heldLocks: DatabaseSync[] = [];

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
