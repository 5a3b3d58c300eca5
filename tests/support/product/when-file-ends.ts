const ends: (() => unknown)[] = [];

/**
 * Runs a function after the file's tests, last registered first. Unlike `afterAll` it works inside a hook, where
 * Vitest silently ignores new hooks.
 */
export function whenFileEnds(end: () => unknown): void {
  ends.push(end);
}

/** Runs and forgets the registered functions, because the next file may share the process. */
export async function endFile(): Promise<void> {
  for (const end of ends.splice(0).toReversed()) await end();
}
