import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { mutations } from "../support/inventory/mutations.ts";
import { titlePattern } from "../support/inventory/titles.ts";
import { replaceOnce } from "./work-tree.ts";

const read = (file: string) => readFileSync(join(import.meta.dirname, "../..", file), "utf8");

test("there are at least twenty mutations with unique names", () => {
  const names = mutations.map(({ name }) => name);
  expect(names.length).toBeGreaterThanOrEqual(20);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

test.each(mutations)("the text to replace occurs once: $name", ({ file, before, after }) => {
  expect(replaceOnce(read(file), before, after)).not.toBe(read(file));
});

test.each(mutations)("the test that must fail exists: $name", ({ test: { file, title } }) => {
  const source = read(file);
  const hasTitle = [`"${title}"`, `\`${title}\``].some((quoted) => source.includes(quoted));
  expect(hasTitle, `${file} has a test "${title}"`).toBe(true);
});

test("docs/testing.md lists each mutation with the test that catches it", () => {
  const rows = read("docs/testing.md").split("## Mutations")[1]!.split("\n").map(cellsOf);
  const documented = rows.filter(([, test]) => test?.includes("`"));
  expect(documented).toEqual(
    mutations.map(({ name, test }) => [name, `\`${test.file}\`: ${test.title}`]),
  );
});

function cellsOf(row: string): string[] {
  return row
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim().replaceAll("\\", ""));
}

test("a missing or repeated text is not replaced", () => {
  expect(replaceOnce("if (a < b)", "<", "<=")).toBe("if (a <= b)");
  expect(() => replaceOnce("if (a < b)", ">", "<")).toThrow("occurs 0 times");
  expect(() => replaceOnce("a < b < c", "<", ">")).toThrow("occurs 2 times");
});

test("the title of a test.each matches the titles of its rows", () => {
  const matches = (title: string, run: string) => new RegExp(`^${titlePattern(title)}$`).test(run);
  expect(matches("a %s order is refunded as %s", "a pending order is refunded as cancelled")).toBe(
    true,
  );
  expect(matches("$name runs once (in turn)", "assignReviews runs once (in turn)")).toBe(true);
  expect(matches("every screen of ${audience.whose} fits", "every screen of staff fits")).toBe(
    true,
  );
  expect(matches("a file is refused", "a file is refused again")).toBe(false);
});
