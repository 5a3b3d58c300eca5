import type { Memory } from "./hear-changes.ts";

/** What was made of the jobs, kept until they change. */
export type UntilChange<Made> = Memory & {
  /** What is remembered under this key, else what `make` gives; many askers wait for one making. */
  read(key: string, make: () => Promise<Made>): Promise<Made>;
};

/** Remembers the `most` last things made. What was begun before a change is never kept after it. */
export function untilChange<Made>(most: number): UntilChange<Made> {
  let generation = 0;
  let trusted = false;
  const kept = new Map<string, Promise<Made>>();

  function empty(): void {
    generation += 1;
    kept.clear();
  }

  return {
    empty,
    setTrusted(value) {
      trusted = value;
      empty();
    },
    read(key, make) {
      const known = kept.get(key);
      if (known) return known;
      const begun = generation;
      const making = make();
      if (!trusted) return making;
      const forget = () => {
        if (kept.get(key) === making) kept.delete(key);
      };
      making.then(() => begun !== generation && forget(), forget);
      if (kept.size >= most) kept.delete(kept.keys().next().value!);
      kept.set(key, making);
      return making;
    },
  };
}
