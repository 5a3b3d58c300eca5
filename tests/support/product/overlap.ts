import { sql } from "drizzle-orm";
import { expect } from "vitest";
import type { Database } from "../../../app/platform/database.server.ts";

/**
 * Runs two commands so that they overlap: the second starts before the first commits, and the first commits once the
 * second waits for a lock or has ended.
 *
 * @returns the results of both
 */
export async function overlap(
  db: Database,
  first: (tx: Database) => Promise<unknown>,
  second: (db: Database) => Promise<unknown>,
): Promise<PromiseSettledResult<unknown>[]> {
  let ended = false;
  let other: Promise<unknown> | undefined;
  const one = db.transaction(async (tx) => {
    await first(tx);
    other = second(db).finally(() => (ended = true));
    // The caller gets its failure.
    other.catch(() => {});
    await expect.poll(async () => ended || (await countLockWaits(db)) > 0).toBe(true);
  });
  const [result] = await Promise.allSettled([one]);
  return [result, ...(await Promise.allSettled([other]))];
}

/** Counts the connections to this database that wait for a lock. */
export async function countLockWaits(db: Database): Promise<number> {
  const { rows } = await db.execute(sql`
    select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);
  return rows.length;
}
