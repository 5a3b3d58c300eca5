import { setTimeout as sleep } from "node:timers/promises";
import type { Attempt, Flow } from "./flow.ts";
import type { World } from "./world.ts";

const people = 6;

/**
 * Simulates people who run every action in turn, and complete those that were not confirmed.
 *
 * @returns a function that ends it and returns the number of actions and the problems as sentences
 */
export function underLoad(world: World, flows: Flow[]) {
  const wrong: string[] = [];
  const ending = new AbortController();
  let done = 0;
  const runs = Array.from({ length: people }, async (_, turn) => {
    for (let next = turn; !ending.signal.aborted; next += 1) {
      const flow = flows[next % flows.length]!;
      const attempt = await retryRead(() => flow.prepare(world));
      const isConfirmed = await attempt.act().catch(() => false);
      if (!isConfirmed) await complete(flow, attempt);
      const found = await retryRead(() => attempt.wrong());
      wrong.push(...found.map((sentence) => `${flow.name} under load: ${sentence}`));
      done += 1;
    }
  });

  /** Completes an action. It may fail repeatedly during the drill, but not afterwards. */
  async function complete({ name }: Flow, attempt: Attempt): Promise<void> {
    for (;;) {
      const isEnding = ending.signal.aborted;
      try {
        return await attempt.again();
      } catch (cause) {
        if (isEnding) throw new Error(`${name} under load does not complete.`, { cause });
      }
    }
  }

  return {
    async end(): Promise<{ done: number; wrong: string[] }> {
      ending.abort();
      await Promise.all(runs);
      return { done, wrong };
    },
  };
}

/** Repeats reads and preparations until they succeed. */
async function retryRead<Result>(work: () => Promise<Result>): Promise<Result> {
  const deadline = performance.now() + 120_000;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await sleep(200);
    }
  }
}
