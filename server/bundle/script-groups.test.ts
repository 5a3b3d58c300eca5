import { globSync } from "node:fs";
import { expect, test } from "vitest";
import { scriptGroups } from "./script-groups.ts";

const files = globSync("app/**/*.{ts,tsx}").map((file) => file.replaceAll("\\", "/").slice(4));

/** Writes out each alternative of a pattern: "ui/(link|meta)" is "ui/link" and "ui/meta". */
function listAlternatives(pattern: string): string[] {
  const [group, names] = /\((?!\?)([^)]*)\)/.exec(pattern) ?? [];
  if (group === undefined) return [pattern];
  return names!.split("|").flatMap((name) => listAlternatives(pattern.replace(group, name)));
}

const patterns = Object.values(scriptGroups).flat().flatMap(listAlternatives);

test.each(patterns)("the shared scripts' pattern %s matches a file", (pattern) => {
  const begins = new RegExp(`^${pattern}`);
  expect(files.filter((file) => begins.test(file))).not.toEqual([]);
});
