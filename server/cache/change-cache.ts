import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { cacheReads } from "../../app/platform/metrics.server.ts";
import type { Log } from "../../app/platform/log.server.ts";

/** A cache of everything derived from jobs. It is cleared when jobs change in any process. */
export type ChangeCache = {
  room<Made>(options: RoomOptions): Room<Made>;
  /** Clears all rooms after a change. */
  empty(): void;
  /** While false, nothing is cached, since changes would not be reported. */
  setTrusted(trusted: boolean): void;
  isTrusted(): boolean;
};

/** `most` is the maximum number of entries, `lifetime` their maximum age in milliseconds, `name` a label for metrics. */
type RoomOptions = { name: string; most: number; lifetime?: number };

export type Room<Made> = {
  /** Returns a value that is already in the cache. */
  find(key: string): Made | null;
  /**
   * Returns the cached value, or the one that `make` returns; concurrent callers share it. Failures and null
   * are not cached.
   */
  read(key: string, make: () => Promise<Made>): Promise<Made>;
};

/** While a value is being made it is null and does not expire. */
type Entry<Made> = { making: Promise<Made>; made: Made | null; endsAt: number };

/** Creates the cache. A value that was requested before a change is not cached after it. */
export function createChangeCache(): ChangeCache {
  let generation = 0;
  let trusted = false;
  const rooms: Map<string, unknown>[] = [];

  function empty(): void {
    generation += 1;
    for (const room of rooms) room.clear();
  }

  function room<Made>({ name: cache, most, lifetime = Infinity }: RoomOptions): Room<Made> {
    const entries = new Map<string, Entry<Made>>();
    rooms.push(entries);

    function add(key: string, making: Promise<Made>): void {
      const startGeneration = generation;
      const entry: Entry<Made> = { making, made: null, endsAt: Infinity };
      const settle = (made: Made | null) => {
        entry.made = made;
        entry.endsAt = performance.now() + lifetime;
        const isStale = made === null || startGeneration !== generation;
        if (isStale && entries.get(key) === entry) entries.delete(key);
      };
      making.then(settle, () => settle(null));
      if (entries.size >= most) entries.delete(entries.keys().next().value!);
      entries.set(key, entry);
    }

    function current(key: string): Entry<Made> | undefined {
      const entry = entries.get(key);
      if (!entry || performance.now() < entry.endsAt) return entry;
      entries.delete(key);
      return undefined;
    }

    return {
      find(key) {
        const made = current(key)?.made ?? null;
        // A miss is counted by `read`, which the caller uses next.
        if (made !== null) cacheReads.inc({ cache, result: "hit" });
        return made;
      },
      read(key, make) {
        const cached = current(key);
        cacheReads.inc({ cache, result: cached ? "hit" : "miss" });
        if (cached) return cached.making;
        const making = make();
        if (trusted) add(key, making);
        return making;
      },
    };
  }

  return {
    room,
    empty,
    setTrusted(value) {
      trusted = value;
      empty();
    },
    isTrusted: () => trusted,
  };
}

const pauseMs = 1000;
/** A frozen server or a lost network does not close the connection, so it is checked regularly. */
const checkMs = 10_000;
const timeoutMs = 5_000;

/**
 * Clears the cache whenever jobs change in any process. While the connection for notifications is broken,
 * nothing is cached.
 *
 * @returns a function that stops listening.
 */
export function listenForChanges(
  databaseUrl: string,
  cache: ChangeCache,
  log: Log,
): () => Promise<void> {
  const stopping = new AbortController();
  let client: pg.Client | null = null;
  let isWarned = false;

  async function listen(): Promise<void> {
    while (!stopping.signal.aborted) {
      const connection = new pg.Client({
        connectionString: databaseUrl,
        application_name: "naksha changes",
        connectionTimeoutMillis: timeoutMs,
        query_timeout: timeoutMs,
      });
      client = connection;
      const broken = new AbortController();
      connection.on("error", () => broken.abort());
      connection.on("end", () => broken.abort());
      connection.on("notification", () => cache.empty());
      try {
        await connection.connect();
        await connection.query("listen jobs_changed");
        cache.setTrusted(true);
        isWarned = false;
        while (await waitUnlessAborted(checkMs, broken.signal)) await connection.query("select 1");
      } catch (error) {
        if (!isWarned) log.warn({ why: (error as Error).message }, "cannot listen for changes");
        isWarned = true;
      }
      cache.setTrusted(false);
      await connection.end().catch(() => {});
      await waitUnlessAborted(pauseMs, stopping.signal);
    }
  }

  const listening = listen();
  return async () => {
    stopping.abort();
    await client?.end().catch(() => {});
    await listening;
  };
}

/** @returns false if the signal ended the wait early */
function waitUnlessAborted(ms: number, signal: AbortSignal): Promise<boolean> {
  return wait(ms, true, { signal }).catch(() => false);
}
