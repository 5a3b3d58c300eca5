import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { listExports, listTaken } from "./support/source/exports.ts";
import { sources } from "./support/source/imports.ts";

const scripts = sources.filter((file) => !file.endsWith(".css"));
const tools = globSync("{*.{ts,mjs},{bench,tools}/**/*.ts}");
const tests = globSync("{tests/**/*.ts,{app,db,server}/**/*.test.{ts,tsx}}");
const listTakenBy = (files: string[]) =>
  files.flatMap(listTaken).map(({ from, name }) => `${from}: ${name}`);
const takenByProduct = new Set(listTakenBy([...scripts, ...tools]));
const taken = new Set([...takenByProduct, ...listTakenBy(tests)]);

/** React Router reads the exports of these files by their names. */
const isRoute = (file: string) =>
  /\.(screen|action|guard|styles)\.tsx?$|^app\/(root|routes|entry\.(client|server))\.tsx?$/.test(
    file,
  );

const exported = scripts
  .filter((file) => !isRoute(file) && !taken.has(`${file}: *`))
  .flatMap((file) => listExports(file).map((name) => ({ file, name, id: `${file}: ${name}` })));

test("another file imports each export", () => {
  expect(exported.length).toBeGreaterThan(1000);
  expect(exported.filter(({ id }) => !taken.has(id))).toEqual([]);
});

test("an export that only tests use ends in ForTests", () => {
  const isUsedAt = (file: string, name: string) =>
    readFileSync(file, "utf8").split(new RegExp(`\\b${name}\\b`)).length > 2;
  const onlyForTests = exported.filter(
    ({ file, name, id }) => !takenByProduct.has(id) && !isUsedAt(file, name),
  );
  expect(onlyForTests.filter(({ name }) => !name.endsWith("ForTests"))).toEqual([]);
});
