import { randomUUID } from "node:crypto";
import { and, eq, inArray, lt, not, sql } from "drizzle-orm";
import { hour, second } from "./clock.ts";
import { type Database, deleteRowsInSteps } from "./database.server.ts";
import { leases } from "./tables.server.ts";

/**
 * Locks between processes, stored as rows that expire by PostgreSQL's clock when their holder dies. Advisory locks
 * don't work through a pooler, which may run each statement on another connection.
 */
export type Leases = {
  /**
   * Acquires a free lease, until it is released or this process dies.
   *
   * @param onWanted called once when another holder requests the lease or it is lost. The holder should then stop
   * and release it.
   * @returns null if it is held.
   */
  take(name: string, onWanted: () => void): Promise<Lease | null>;
  /** Asks the holder in any process to release it. */
  askFor(name: string): Promise<void>;
};

export type Lease = { giveBack(): Promise<void> };

/** The time until a dead holder's lease expires. */
export const leaseTime = 6 * second;
const renewEvery = second;

type Held = { name: string; onWanted: () => void; isWanted: boolean; renewedAt: number };

/** Opens the leases of this process, which renews them all with one statement a second. */
export function openLeases(db: Database): Leases {
  const heldLeases = new Map<string, Held>();
  let renewing: NodeJS.Timeout | null = null;

  return {
    async take(name, onWanted) {
      const holder = randomUUID();
      const renewedAt = performance.now();
      const { rowCount } = await db
        .insert(leases)
        .values({ name, holder, expiresAt: expiry })
        .onConflictDoUpdate({
          target: leases.name,
          set: { holder, expiresAt: expiry, isAskedFor: false },
          setWhere: lt(leases.expiresAt, sql`now()`),
        });
      if (rowCount === 0) return null;
      heldLeases.set(holder, { name, onWanted, isWanted: false, renewedAt });
      renewing ??= setInterval(() => void renew(), renewEvery).unref();
      return { giveBack: () => giveBack(holder) };
    },
    async askFor(name) {
      for (const lease of heldLeases.values()) if (lease.name === name) requestLease(lease);
      await db
        .update(leases)
        .set({ isAskedFor: true })
        .where(and(eq(leases.name, name), not(leases.isAskedFor)));
    },
  };

  async function renew(): Promise<void> {
    const due = [...heldLeases.keys()];
    const startedAt = performance.now();
    const rows = await db
      .update(leases)
      .set({ expiresAt: expiry })
      .where(inArray(leases.holder, due))
      .returning({ holder: leases.holder, isAskedFor: leases.isAskedFor })
      .catch(() => null);
    const renewed = new Map(rows?.map((row) => [row.holder, row.isAskedFor]));
    for (const holder of due) {
      const lease = heldLeases.get(holder);
      if (!lease) continue;
      if (renewed.has(holder)) lease.renewedAt = startedAt;
      const isLost = rows ? !renewed.has(holder) : startedAt - lease.renewedAt > leaseTime;
      if (isLost || renewed.get(holder)) requestLease(lease);
    }
  }

  async function giveBack(holder: string): Promise<void> {
    heldLeases.delete(holder);
    if (heldLeases.size === 0 && renewing) {
      clearInterval(renewing);
      renewing = null;
    }
    // If this fails, the lease expires.
    await db
      .delete(leases)
      .where(eq(leases.holder, holder))
      .catch(() => {});
  }
}

/** Deletes the rows of dead processes. */
export async function deleteOldLeases(db: Database): Promise<number> {
  return deleteRowsInSteps(
    db,
    leases,
    leases.name,
    lt(leases.expiresAt, sql`now() - ${`${hour} ms`}::interval`),
  );
}

const expiry = sql`now() + ${`${leaseTime} ms`}::interval`;

function requestLease(lease: Held): void {
  if (lease.isWanted) return;
  lease.isWanted = true;
  lease.onWanted();
}
