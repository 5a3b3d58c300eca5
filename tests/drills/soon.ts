import { setTimeout as sleep } from "node:timers/promises";

/**
 * Repeats what a person or a program would repeat, until it is done.
 *
 * @param isDone false, or an error, when it is to be tried again
 * @throws {Error} when it is not done after so many seconds.
 */
export async function soon(isDone: () => Promise<boolean>, seconds = 60): Promise<void> {
  const deadline = performance.now() + seconds * 1000;
  let why: unknown;
  while (!(await isDone().catch((error: unknown) => ((why = error), false)))) {
    if (performance.now() > deadline)
      throw new Error(`It does not come to its end within ${seconds} seconds.`, { cause: why });
    await sleep(100);
  }
}
