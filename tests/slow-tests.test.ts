import { globSync, readFileSync } from "node:fs";
import { afterEach, expect, test, vi } from "vitest";
import { mutations } from "./support/inventory/mutations.ts";
import { slowTitle } from "./support/inventory/selection.ts";
import { hasTest } from "./support/inventory/titles.ts";
import { findLeftOut } from "./support/runner/left-out.ts";

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

afterEach(() => {
  vi.unstubAllEnvs();
  vi.resetModules();
});

/** Lists what a run selects from samples of every kind. */
async function selectAs(tier: string): Promise<string[]> {
  vi.stubEnv("TEST_TIER", tier);
  vi.resetModules();
  const { rotate, sample, slowCases, viewsOf } = await import("./support/inventory/selection.ts");
  const cases = Array.from({ length: 11 }, (_, index) => index);
  const positions = [0, 1, 2, 3, 4, 5];
  const selected = {
    sample: sample(cases, { every: 4, always: (one) => one === 6 }),
    slowCases: slowCases(cases),
    rotate: positions.flatMap((position) =>
      rotate(cases, { take: 3, position }).map((one) => [position, one]),
    ),
    views: positions.flatMap((position) => {
      const { themes, widths } = viewsOf(position);
      const views = Object.entries({ ...themes, ...widths });
      return views.flatMap(([name, values]) => values.map((value) => [position, name, value]));
    }),
  };
  return Object.entries(selected).flatMap(([name, found]) =>
    found.map((one) => `${name} ${one.toString()}`),
  );
}

test("what npm test leaves out is what the exhaustive run has besides", async () => {
  const fast = await selectAs("fast");
  const leftOut = await selectAs("left-out");
  const exhaustive = await selectAs("exhaustive");
  expect(fast.length).toBeGreaterThan(30);
  expect(leftOut.length).toBeGreaterThan(50);
  expect([...fast, ...leftOut].toSorted()).toEqual(exhaustive.toSorted());
});

test("the files with cases left out are found by their own import or titles", () => {
  const leftOut = [findLeftOut(".test"), findLeftOut(".spec")].flatMap(({ sampled, slow }) => [
    ...sampled,
    ...slow,
  ]);
  const choosing = globSync("{app,server,db,tests,tools}/**/*.{ts,tsx}").filter((file) =>
    readFileSync(file, "utf8").includes('/inventory/selection.ts"'),
  );
  expect(choosing.length).toBeGreaterThan(20);
  // The runner and its configuration choose the tier.
  const others = choosing.filter((file) => !leftOut.includes(file));
  expect(others.filter((file) => !/runner\/|config\.ts$|tests\/run\.ts$/.test(file))).toEqual([]);
  const slow = files.filter(({ source }) => /test\(["`].*@slow/.test(source));
  expect(slow.map(({ file }) => file).filter((file) => !leftOut.includes(file))).toEqual([]);
});
