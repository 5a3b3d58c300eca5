const ends: (() => unknown)[] = [];

/**
 * Does something once the tests of the file are over, what was asked for last first. Unlike `afterAll` it may be
 * asked for in a hook: what Vitest is told of hooks while one runs, it forgets without a word.
 */
export function whenFileEnds(end: () => unknown): void {
  ends.push(end);
}

/** Does what was asked for; files share a process, so nothing of it is left for the next one. */
export async function endFile(): Promise<void> {
  for (const end of ends.splice(0).toReversed()) await end();
}
