import { setTimeout as wait } from "node:timers/promises";
import { LRUCache } from "lru-cache";
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

/** A room holds the `most` values that were used last, each for `lifetime` milliseconds. Metrics use its name. */
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

/** Creates the cache. A value that was requested before a change is not cached after it. */
export function createChangeCache(): ChangeCache {
  let trusted = false;
  const rooms: { clear(): void }[] = [];

  function empty(): void {
    for (const room of rooms) room.clear();
  }

  function room<Made>({ name, most, lifetime = 0 }: RoomOptions): Room<Made> {
    const values = new LRUCache<string, NonNullable<Made>, () => Promise<Made>>({
      max: most,
      ttl: lifetime,
      // The library would keep the clock it found when it was imported, and read it once a millisecond.
      perf: { now: () => performance.now() },
      ttlResolution: 0,
      fetchMethod: async (_key, _stale, { context: make }) => (await make()) ?? undefined,
      // After a change, callers that already wait still get their value, but it is not cached.
      ignoreFetchAbort: true,
    });
    rooms.push(values);

    function count(isHit: boolean): void {
      cacheReads.inc({ cache: name, result: isHit ? "hit" : "miss" });
    }

    return {
      find(key) {
        const value = values.get(key) ?? null;
        // A miss is counted by `read`, which the caller uses next.
        if (value !== null) count(true);
        return value;
      },
      async read(key, make) {
        if (!trusted) {
          count(false);
          return make();
        }
        const status: LRUCache.Status<string, NonNullable<Made>, () => Promise<Made>> = {};
        const reading = values.fetch(key, { context: make, status });
        count(status.fetch === "hit" || status.fetch === "inflight");
        return ((await reading) ?? null) as Made;
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
        do await clearAtNextLapse(connection, cache);
        while (await waitUnlessAborted(checkMs, broken.signal));
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

/**
 * Clears the cache when the next listing lapses, if that is before the next check of the connection. Lapsing changes
 * no row, so the database sends no notification.
 */
async function clearAtNextLapse(connection: pg.Client, cache: ChangeCache): Promise<void> {
  const { rows } = await connection.query<{ left: number | null }>(
    `select extract(epoch from min(live_until) - clock_timestamp())::float8 * 1000 as left
    from jobs where not is_archived and live_until > now()`,
  );
  const left = rows[0]?.left ?? null;
  if (left !== null && left < 2 * checkMs) setTimeout(() => cache.empty(), Math.ceil(left)).unref();
}

/** @returns false if the signal ended the wait early */
function waitUnlessAborted(ms: number, signal: AbortSignal): Promise<boolean> {
  return wait(ms, true, { signal }).catch(() => false);
}
