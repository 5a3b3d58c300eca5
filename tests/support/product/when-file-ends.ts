import { afterAll } from "vitest";

const ends: (() => unknown)[] = [];

afterAll(async () => {
  for (const end of ends.toReversed()) await end();
});

/**
 * Does something once the tests of the file are over, what was asked for last first. Unlike `afterAll` it may be
 * asked for in a hook: what Vitest is told of hooks while one runs, it forgets without a word.
 */
export function whenFileEnds(end: () => unknown): void {
  ends.push(end);
}
