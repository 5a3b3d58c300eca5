import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { journeysLeftOut, leftOut, notLeftOut } from "./support/inventory/left-out.ts";
import { mutations } from "./support/inventory/mutations.ts";
import { hasTest } from "./support/inventory/titles.ts";

test("every left-out test exists, and so does the test that covers it", () => {
  const named = leftOut.flatMap(({ file, title, coveredBy }) => [{ file, title }, coveredBy]);
  const missing = named.filter(({ file, title }) => !hasTest(readFileSync(file, "utf8"), title));
  expect(missing).toEqual([]);
});

test("no left-out test covers another one", () => {
  const uncovered = leftOut.filter(({ coveredBy }) =>
    leftOut.some(({ file, title }) => file === coveredBy.file && coveredBy.title.startsWith(title)),
  );
  expect(uncovered).toEqual([]);
});

test("no mutation's test is left out", () => {
  const needed = mutations.filter(({ test: named }) =>
    leftOut.some(({ file, title }) => file === named.file && named.title.startsWith(title)),
  );
  expect(needed).toEqual([]);
});

test("the patterns match only left-out tests", () => {
  expect(notLeftOut().test("a million objects need no more than the memory there is")).toBe(false);
  expect(notLeftOut().test("a page that unpacks twice needs no more memory")).toBe(true);
  const isLeftOut = (name: string) => journeysLeftOut().some((pattern) => pattern.test(name));
  expect(isLeftOut("reviews/share.spec.ts whole pages are blacked out without scripts")).toBe(true);
  expect(isLeftOut("reviews/share.spec.ts a review is blacked out and shared")).toBe(false);
});
