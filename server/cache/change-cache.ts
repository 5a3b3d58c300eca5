import { setTimeout as wait } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import pg from "pg";
import { cacheReads } from "../../app/platform/metrics.server.ts";
import type { Log } from "../../app/platform/log.server.ts";

/** A cache of everything derived from jobs. It is cleared when jobs change in any process, and when one lapses. */
export type ChangeCache = {
  room<Made>(options: RoomOptions): Room<Made>;
  /** Clears all rooms after a change. */
  empty(): void;
  /** Clears all rooms once this many milliseconds have passed. It replaces an earlier time; `Infinity` is none. */
  emptyIn(ms: number): void;
  /** While false, nothing is cached, since changes would not be reported. */
  setTrusted(trusted: boolean): void;
  isTrusted(): boolean;
};

/** A room holds the `max` values that were used last, each for `lifetime` milliseconds. Metrics use its name. */
type RoomOptions = { name: string; max: number; lifetime?: number };

type Room<Made> = {
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
  /** A time of `performance`, whose clock nobody can set back. */
  let validUntil = Infinity;
  const rooms: { clear(): void }[] = [];

  function empty(): void {
    for (const room of rooms) room.clear();
  }

  /** Reads check the time themselves, since a busy process runs its timers late. */
  function emptyIfOutdated(): void {
    if (performance.now() < validUntil) return;
    validUntil = Infinity;
    empty();
  }

  function room<Made>({ name, max, lifetime = 0 }: RoomOptions): Room<Made> {
    const values = new LRUCache<string, NonNullable<Made>, () => Promise<Made>>({
      max,
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
        emptyIfOutdated();
        const value = values.get(key) ?? null;
        // A miss is counted by `read`, which the caller uses next.
        if (value !== null) count(true);
        return value;
      },
      async read(key, make) {
        emptyIfOutdated();
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
    emptyIn: (ms) => void (validUntil = performance.now() + ms),
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
 * Clears the cache whenever jobs change in any process, and when a listing lapses. While the connection for
 * notifications is broken, nothing is cached.
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
      let changed = new AbortController();
      connection.on("error", () => broken.abort());
      connection.on("end", () => broken.abort());
      connection.on("notification", () => {
        cache.empty();
        changed.abort();
      });
      try {
        await connection.connect();
        const lapses = await createLapseWatch(connection, cache);
        await connection.query("listen jobs_changed");
        cache.setTrusted(true);
        isWarned = false;
        while (!broken.signal.aborted) {
          changed = new AbortController();
          const left = await lapses.planNext();
          const signal = AbortSignal.any([changed.signal, broken.signal]);
          await wait(Math.min(left, checkMs), undefined, { signal }).catch(() => {});
        }
      } catch (error) {
        if (!isWarned) log.warn({ why: (error as Error).message }, "cannot listen for changes");
        isWarned = true;
      }
      cache.setTrusted(false);
      await connection.end().catch(() => {});
      await wait(pauseMs, undefined, { signal: stopping.signal }).catch(() => {});
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
 * Creates a watch over the times at which listings lapse. Lapsing changes no row, so the database sends no notification.
 * Each query starts where the last one ended, so that no lapse is missed between two of them.
 */
async function createLapseWatch(connection: pg.Client, cache: ChangeCache) {
  const { rows } = await connection.query<{ moment: string }>(
    "select clock_timestamp()::text as moment",
  );
  let seenUntil = rows[0]!.moment;
  return {
    /** Plans the clearing at the next lapse. @returns the milliseconds until then; `Infinity` without any */
    async planNext(): Promise<number> {
      for (;;) {
        const next = await connection.query<{ moment: string; left: number }>(
          `select moment::text, coalesce(extract(epoch from (select min(live_until) from jobs
              where not is_archived and live_until > $1) - moment) * 1000, 'Infinity')::float8 as left
            from clock_timestamp() as moment`,
          [seenUntil],
        );
        const { moment, left } = next.rows[0]!;
        seenUntil = moment;
        if (left <= 0) cache.empty();
        else {
          cache.emptyIn(left);
          return left;
        }
      }
    },
  };
}
