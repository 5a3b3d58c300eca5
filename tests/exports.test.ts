import { globSync } from "node:fs";
import { expect, test } from "vitest";
import { listExports, listTaken } from "./support/source/exports.ts";
import { sources } from "./support/source/imports.ts";

const scripts = sources.filter((file) => !file.endsWith(".css"));
const others = globSync(
  "{*.{ts,mjs},{tests,bench,tools}/**/*.ts,{app,db,server}/**/*.test.{ts,tsx}}",
);
const taken = new Set(
  [...scripts, ...others].flatMap(listTaken).map(({ from, name }) => `${from}: ${name}`),
);

/** React Router reads the exports of these files by their names. */
const isRoute = (file: string) =>
  /\.(screen|action|guard|sheet)\.tsx?$|^app\/(root|routes|entry\.(client|server))\.tsx?$/.test(
    file,
  );

test("another file imports each export", () => {
  expect(scripts.length).toBeGreaterThan(500);
  const unused = scripts
    .filter((file) => !isRoute(file) && !taken.has(`${file}: *`))
    .flatMap((file) => listExports(file).map((name) => `${file}: ${name}`))
    .filter((exported) => !taken.has(exported));
  expect(unused).toEqual([]);
});
