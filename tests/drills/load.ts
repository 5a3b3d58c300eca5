import { setTimeout as sleep } from "node:timers/promises";
import type { Attempt, Flow } from "./flow.ts";
import type { World } from "./world.ts";

const people = 6;

/**
 * People who repeat every action in turn, and redo what was not confirmed.
 *
 * @returns how to end it; then how much was done, and what is wrong with it in sentences.
 */
export function underLoad(world: World, flows: Flow[]) {
  const wrong: string[] = [];
  const over = new AbortController();
  let done = 0;
  const busy = Array.from({ length: people }, async (_, turn) => {
    for (let next = turn; !over.signal.aborted; next += 1) {
      const flow = flows[next % flows.length]!;
      const attempt = await patiently(() => flow.prepare(world));
      const told = await attempt.act().catch(() => false);
      if (!told) await goOn(flow, attempt);
      const found = await patiently(() => attempt.wrong());
      wrong.push(...found.map((sentence) => `${flow.name} under load: ${sentence}`));
      done += 1;
    }
  });

  /** While things are broken an action can take any time; afterwards it has to succeed. */
  async function goOn({ name }: Flow, attempt: Attempt): Promise<void> {
    for (;;) {
      const isCalm = over.signal.aborted;
      try {
        return await attempt.again();
      } catch (cause) {
        if (isCalm) throw new Error(`${name} under load stands still.`, { cause });
      }
    }
  }

  return {
    async end(): Promise<{ done: number; wrong: string[] }> {
      over.abort();
      await Promise.all(busy);
      return { done, wrong };
    },
  };
}

/** Repeats reads and preparations until they succeed. */
async function patiently<Result>(work: () => Promise<Result>): Promise<Result> {
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
