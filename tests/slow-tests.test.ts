import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { mutations } from "./support/inventory/mutations.ts";
import { slowTitle } from "./support/inventory/selection.ts";
import { hasTest } from "./support/inventory/titles.ts";

const files = globSync("{app,server,db,tests}/**/*.{test,spec}.{ts,tsx}").map((file) => ({
  file,
  source: readFileSync(file, "utf8"),
}));
const sourceOf = (path: string) => files.find(({ file }) => file === path)?.source ?? "";

/** The tests that find the faults of slow ones, from the comments above these. */
const covering = files.flatMap(({ file, source }) =>
  [...source.matchAll(/^ *\/\/ Covered by "(.+)"\.$/gm)].map(([, text]) => {
    const [, other, title] = /^(\S+\.(?:test|spec)\.tsx?): (.+)$/.exec(text!) ?? [];
    return { file: other ?? file, title: title ?? text! };
  }),
);

test("a comment above every slow test names a test that finds the same faults", () => {
  const slow = files.flatMap(({ file, source }) =>
    [...source.matchAll(/(.*)\n *(?:test\(["`].*@slow|\.\.\.slowCases)/g)].map(
      ([lines, above]) => ({
        where: `${file}: ${lines}`,
        isCovered: above!.includes("// Covered by "),
      }),
    ),
  );
  expect(slow.length).toBeGreaterThan(80);
  expect(slow.filter(({ isCovered }) => !isCovered)).toEqual([]);
  expect(covering.filter(({ file, title }) => !hasTest(sourceOf(file), title))).toEqual([]);
});

test("no slow test covers another one or catches a mutation", () => {
  const needed = [...covering, ...mutations.map(({ test: named }) => named)];
  const isSlow = ({ file, title }: { file: string; title: string }) =>
    [...sourceOf(file).matchAll(/\btest\(["`](.+)["`], /g)].some(
      ([, found]) => found!.startsWith(title) && slowTitle.test(found!),
    );
  expect(needed.filter(isSlow)).toEqual([]);
});
