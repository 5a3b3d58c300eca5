import { cacheReads } from "../../app/platform/metrics.server.ts";

/** What is made of the jobs is cached here until they change, in whichever process that happens. */
export type ChangeCache = {
  room<Made>(options: RoomOptions): Room<Made>;
  /** Forgets everything: something has changed. */
  empty(): void;
  /** While false, nothing is cached: nobody would tell us of a change. */
  setTrusted(trusted: boolean): void;
  isTrusted(): boolean;
};

/** Room for the last `most` things of one kind, each for `lifetime` milliseconds at most, counted by a name. */
type RoomOptions = { name: string; most: number; lifetime?: number };

export type Room<Made> = {
  /** What is there and made already. */
  find(key: string): Made | null;
  /**
   * What is cached under this key, else what `make` gives; many askers wait for one making. What fails
   * is not cached, nor is null.
   */
  read(key: string, make: () => Promise<Made>): Promise<Made>;
};

/** While a thing is being made it has no value, and does not age. */
type Entry<Made> = { making: Promise<Made>; made: Made | null; endsAt: number };

/** What was begun before a change is never cached after it. */
export function untilChange(): ChangeCache {
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
        // Whoever finds nothing goes on to read.
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
