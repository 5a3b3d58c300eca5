import { setTimeout as sleep } from "node:timers/promises";

/**
 * Repeats an action until it succeeds, as a person or a program would.
 *
 * @param isDone returns false or throws to be called again
 * @throws {Error} if it does not succeed in time
 */
export async function soon(isDone: () => Promise<boolean>, seconds = 60): Promise<void> {
  const deadline = performance.now() + seconds * 1000;
  let cause: unknown;
  while (!(await isDone().catch((error: unknown) => ((cause = error), false)))) {
    if (performance.now() > deadline)
      throw new Error(`The action did not succeed within ${seconds} seconds.`, { cause });
    await sleep(100);
  }
}
