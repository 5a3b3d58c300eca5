const ends: (() => unknown)[] = [];

/**
 * Runs a function after the tests of the file, last registered first. Unlike `afterAll` it can be called in a
 * hook: Vitest silently ignores hooks that are registered while one runs.
 */
export function whenFileEnds(end: () => unknown): void {
  ends.push(end);
}

/** Does what was asked for; files share a process, so nothing of it is left for the next one. */
export async function endFile(): Promise<void> {
  for (const end of ends.splice(0).toReversed()) await end();
}
