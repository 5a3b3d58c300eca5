import { globSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "../../..");

/** The requirements of a test file: nothing, PostgreSQL, or PostgreSQL and the built product. */
type Need = "nothing" | "postgres" | "build";

/** Modules with a requirement, which files that import them inherit. */
const requirements: [Need, RegExp][] = [
  [
    "build",
    /support[\\/]\w+[\\/](running|own-product|page-scripts|built-programs|built-styles)\.ts$/,
  ],
  ["postgres", /support[\\/]\w+[\\/](database|tasks)\.ts$/],
];

/** Groups all test files except journeys by their requirements. Paths are relative to the root. */
export function testFiles(): Record<Need, string[]> {
  const found: Record<Need, string[]> = { nothing: [], postgres: [], build: [] };
  for (const file of globSync("{app,server,db,tests,tools}/**/*.test.{ts,tsx}", {
    cwd: root,
  }).toSorted())
    found[needOf(file)].push(file);
  return found;
}

/** @param filters parts of paths, as for Vitest; an empty list means every file */
export function needsBuild(filters: string[]): boolean {
  const parts = filters.map((filter) => filter.replace(/:\d+$/, ""));
  const { build } = testFiles();
  return filters.length === 0 || build.some((file) => parts.some((part) => file.includes(part)));
}

function needOf(file: string): Need {
  const imported = [...supportOf(file)];
  const [need] =
    requirements.find(([, pattern]) => imported.some((path) => pattern.test(path))) ?? [];
  return need ?? "nothing";
}

/** Collects the test modules that a file imports, directly or indirectly. */
function supportOf(file: string, seen = new Set<string>()): Set<string> {
  for (const [, path] of readFileSync(join(root, file), "utf8").matchAll(/ from "(\.[^"]+)"/g)) {
    const imported = join(dirname(file), path!);
    if (!imported.startsWith("tests") || seen.has(imported)) continue;
    seen.add(imported);
    supportOf(imported, seen);
  }
  return seen;
}
