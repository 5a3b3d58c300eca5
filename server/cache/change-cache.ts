import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { cacheReads } from "../../app/platform/metrics.server.ts";
import type { Log } from "../../app/platform/log.server.ts";

/** A cache of everything derived from jobs, until jobs change in any process. */
export type ChangeCache = {
  room<Made>(options: RoomOptions): Room<Made>;
  /** Forgets everything: something has changed. */
  empty(): void;
  /** While false, nothing is cached, since changes would not be reported. */
  setTrusted(trusted: boolean): void;
  isTrusted(): boolean;
};

/** Room for the last `most` things of one kind, each for `lifetime` milliseconds at most, counted by a name. */
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

/** While a thing is being made it has no value, and does not age. */
type Entry<Made> = { making: Promise<Made>; made: Made | null; endsAt: number };

/** Creates the cache. A value that was started before a change is not cached after it. */
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

    function begin(key: string, making: Promise<Made>): void {
      const begun = generation;
      const entry: Entry<Made> = { making, made: null, endsAt: Infinity };
      const settle = (made: Made | null) => {
        entry.made = made;
        entry.endsAt = performance.now() + lifetime;
        const isStale = made === null || begun !== generation;
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
        // A caller that finds nothing reads instead.
        if (made !== null) cacheReads.inc({ cache, result: "hit" });
        return made;
      },
      read(key, make) {
        const known = current(key);
        cacheReads.inc({ cache, result: known ? "hit" : "miss" });
        if (known) return known.making;
        const making = make();
        if (trusted) begin(key, making);
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
/** A server that is frozen, or a network that is gone, closes no connection: so it is asked. */
const checkMs = 10_000;
const answerMs = 5_000;

/**
 * Empties the cache whenever jobs change, in whichever process that happens. While the connection that
 * hears of changes is broken, it is not trusted.
 *
 * @returns how to stop hearing.
 */
export function listenForChanges(
  databaseUrl: string,
  cache: ChangeCache,
  log: Log,
): () => Promise<void> {
  const ending = new AbortController();
  let client: pg.Client | null = null;
  let said = false;

  async function listen(): Promise<void> {
    while (!ending.signal.aborted) {
      const connection = new pg.Client({
        connectionString: databaseUrl,
        application_name: "naksha changes",
        connectionTimeoutMillis: answerMs,
        query_timeout: answerMs,
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
        said = false;
        while (await waitUnlessCut(checkMs, broken.signal)) await connection.query("select 1");
      } catch (error) {
        if (!said) log.warn({ why: (error as Error).message }, "cannot hear of changes");
        said = true;
      }
      cache.setTrusted(false);
      await connection.end().catch(() => {});
      await waitUnlessCut(pauseMs, ending.signal);
    }
  }

  const listening = listen();
  return async () => {
    ending.abort();
    await client?.end().catch(() => {});
    await listening;
  };
}

/** @returns false when it was cut short. */
function waitUnlessCut(ms: number, cut: AbortSignal): Promise<boolean> {
  return wait(ms, true, { signal: cut }).catch(() => false);
}
