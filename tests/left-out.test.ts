import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import {
  escapePattern,
  journeysLeftOut,
  leftOut,
  notLeftOut,
} from "./support/inventory/left-out.ts";
import { mutations } from "./support/inventory/mutations.ts";

test("every test that is left out exists", () => {
  const missing = leftOut.filter(({ file, title }) => {
    const source = readFileSync(file, "utf8");
    const isThere = source.includes(`"${title}`) || source.includes(`\`${title}`);
    return !isThere && !templatesIn(source).some((template) => template.test(title));
  });
  expect(missing).toEqual([]);
});

/** The titles that a file makes of a row of a table. */
function templatesIn(source: string): RegExp[] {
  const titles = source.matchAll(/(?:`([^`\n]*\$\{[^`\n]*)`|"([^"\n]*(?:%s|\$\w)[^"\n]*)"),/g);
  return [...titles].map(([, template, eachTitle]) => {
    const parts = (template ?? eachTitle!)
      .split(/\$\{[^}]+\}|%s|\$[\w.]+/)
      .map((part) => escapePattern(part));
    return new RegExp(`^${parts.join(".+")}$`);
  });
}

test("no test that a mutation names is left out", () => {
  const needed = mutations.filter(({ test: named }) =>
    leftOut.some(({ file, title }) => file === named.file && named.title.startsWith(title)),
  );
  expect(needed).toEqual([]);
});

test("the patterns tell what is left out from what stays", () => {
  expect(notLeftOut().test("a million objects need no more than the memory there is")).toBe(false);
  expect(notLeftOut().test("a page that unpacks twice needs no more memory")).toBe(true);
  const isLeftOut = (name: string) => journeysLeftOut().some((pattern) => pattern.test(name));
  expect(isLeftOut("reviews/share.spec.ts without scripts whole pages are blacked out")).toBe(true);
  expect(isLeftOut("reviews/share.spec.ts a review is drawn over, shared")).toBe(false);
});
