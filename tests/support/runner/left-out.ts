import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./run-node.ts";

/** The test files of which `npm test` leaves out cases. Paths are relative to the root. */
export type LeftOut = {
  /** Files that choose their cases with `support/inventory/selection.ts`. */
  sampled: string[];
  /** The others, with tests whose title ends in `@slow`. */
  slow: string[];
};

/** @param kind the end of their names: `.test.ts` runs in Vitest, `.spec.ts` in Playwright */
export function findLeftOut(kind: ".test" | ".spec"): LeftOut {
  const found: LeftOut = { sampled: [], slow: [] };
  for (const file of globSync(`{app,server,db,tests,tools}/**/*${kind}.{ts,tsx}`, { cwd: root })) {
    const source = readFileSync(join(root, file), "utf8");
    if (source.includes('/inventory/selection.ts"')) found.sampled.push(file);
    else if (source.includes("@slow")) found.slow.push(file);
  }
  return found;
}
