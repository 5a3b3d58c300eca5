import { globSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "../../..");

/** The requirements of a test file: nothing, PostgreSQL, or that and the built product. */
type Need = "nothing" | "postgres" | "build";

/** Modules with a requirement; files that import one of them have it too. */
const bringing: [Need, RegExp][] = [
  ["build", /support[\\/]\w+[\\/](running|own-product|page-scripts|built-programs)\.ts$/],
  ["postgres", /support[\\/]\w+[\\/](database|tasks)\.ts$/],
];

/** Every test file but the journeys, by what it needs, as its imports tell. Paths are below the root. */
export function testFiles(): Record<Need, string[]> {
  const found: Record<Need, string[]> = { nothing: [], postgres: [], build: [] };
  for (const file of globSync("{app,server,db,tests,tools}/**/*.test.{ts,tsx}", {
    cwd: root,
  }).toSorted())
    found[needOf(file)].push(file);
  return found;
}

/** @param filters parts of paths, as Vitest takes them; none stand for every file. */
export function needsBuild(filters: string[]): boolean {
  const parts = filters.map((filter) => filter.replace(/:\d+$/, ""));
  const { build } = testFiles();
  return filters.length === 0 || build.some((file) => parts.some((part) => file.includes(part)));
}

function needOf(file: string): Need {
  const imported = [...supportOf(file)];
  const [need] = bringing.find(([, pattern]) => imported.some((path) => pattern.test(path))) ?? [];
  return need ?? "nothing";
}

/** The modules of tests' support that a file imports, and those that these import. */
function supportOf(file: string, seen = new Set<string>()): Set<string> {
  for (const [, path] of readFileSync(join(root, file), "utf8").matchAll(/ from "(\.[^"]+)"/g)) {
    const imported = join(dirname(file), path!);
    if (!imported.startsWith("tests") || seen.has(imported)) continue;
    seen.add(imported);
    supportOf(imported, seen);
  }
  return seen;
}
