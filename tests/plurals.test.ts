import { glob, readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { countNoun } from "../app/platform/count-noun.ts";

test.each([
  [0, "0 jobs"],
  [1, "1 job"],
  [2, "2 jobs"],
  [123_456, "1,23,456 jobs"],
])("%d is counted as %j", (count, text) => {
  expect(countNoun(count, "job")).toBe(text);
});

test("a noun with another plural has it", () => {
  expect([1, 2].map((count) => countNoun(count, "person", "people"))).toEqual([
    "1 person",
    "2 people",
  ]);
});

/** Counted nouns in fixed words. A limit in capitals or in days and hours is never one. */
const fixedPlurals = [
  // A count that only screen readers complete: `{count}<span className="sr-only"> jobs</span>`
  /sr-only">\s*[a-z]+s<\/span>/g,
  // A singular that is written by hand: `count === 1 ? "1 job" : …`
  /=== 1 \? ["`]1 [a-z]+( [a-z]+)?["`] : `\$\{/g,
];

test("counts with a noun come from one function, which knows the singular", async () => {
  const found: string[] = [];
  for await (const file of glob("{app,server}/**/*.{ts,tsx}")) {
    if (/\.test\.tsx?$/.test(file)) continue;
    const source = await readFile(file, "utf8");
    for (const pattern of fixedPlurals)
      for (const [match] of source.matchAll(pattern)) found.push(`${file}: ${match}`);
  }
  expect(found).toEqual([]);
});
