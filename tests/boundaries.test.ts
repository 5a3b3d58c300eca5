import { globSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { expect, test } from "vitest";
import { cyclesOf, importsOf, sources } from "./support/source/imports.ts";

/**
 * Imports run one way. Each layer may import from the layers above it in this list and from its own folder.
 * Folders of one layer may not import each other. Type imports count.
 */
const layers = [
  ["app/platform"],
  ["app/ui"],
  ["app/files", "app/mail"],
  ["app/accounts"],
  ["app/companies"],
  ["app/payments", "app/subscriptions", "app/jobs"],
  ["app/posting"],
  ["app/reviews"],
  ["app/annotations"],
  ["app/review-customer", "app/review-staff"],
  ["app/support", "app/checks", "app/seekers"],
  ["app/own-data"],
  ["app/admin", "app/site"],
  ["app/consents"],
  ["app"],
  ["db"],
  ["server"],
];

const imports = sources.flatMap(importsOf);

test("every source file belongs to a layer", () => {
  expect(sources.length).toBeGreaterThan(100);
  expect(sources.filter((file) => !folderOf(file))).toEqual([]);
});

test("imports only go up the list of layers", () => {
  const wrong = imports.filter(({ from, to }) => !mayImport(folderOf(from)!, folderOf(to)));
  expect(wrong).toEqual([]);
});

test("no folders import each other in a cycle", () => {
  const edges = imports
    .map(({ from, to }) => [dirname(from), dirname(to)] as const)
    .filter(([from, to]) => from !== to);
  expect(edges.length).toBeGreaterThan(100);
  expect(cyclesOf(edges)).toEqual([]);
});

test("cycles of any length are found", () => {
  const chain = [
    ["a", "b"],
    ["b", "c"],
    ["c", "d"],
  ] as const;
  expect(cyclesOf(chain)).toEqual([]);
  expect(cyclesOf([...chain, ["d", "b"]])).toEqual([["b", "c", "d"]]);
  expect(cyclesOf([...chain, ["b", "a"], ["d", "c"]])).toEqual([
    ["c", "d"],
    ["a", "b"],
  ]);
});

test("every source file is used", () => {
  const programs = globSync(["*.{ts,mjs}", "{bench,tests}/**/*.ts"]).filter(
    (file) => !/\.(?:test|spec|drill)\.ts$/.test(file),
  );
  const scripts = [...sources, ...programs].filter((file) => !file.endsWith(".css"));
  const code = scripts.map((file) => readFileSync(file, "utf8")).join();
  const used = new Set([...imports, ...programs.flatMap(importsOf)].map(({ to }) => to));
  const unused = sources.filter(
    (file) => !used.has(file) && !routeFiles.has(file) && !isStarted(file) && !code.includes(file),
  );
  expect(unused).toEqual([]);
});

/** React Router loads the first three; other processes start the children. */
function isStarted(file: string): boolean {
  return /^app\/(?:root|entry\.client|entry\.server)\.tsx$|-child\.server\.ts$/.test(file);
}

test("browser code imports server code only for loaders, actions and types", () => {
  const wrong = imports.filter(
    ({ from, to, typesOnly }) => !typesOnly && isForBrowser(from) && to.includes(".server."),
  );
  expect(wrong).toEqual([]);
});

test("scripts that Node runs directly import no components, which Node cannot read", () => {
  const commands = readFileSync("run.mjs", "utf8");
  const entryPoints = [...commands.matchAll(/\["((?:server|bench|tests)\/[\w/-]+\.ts)"/g)].map(
    ([, file]) => file!,
  );
  expect(entryPoints).toContain("tests/screens.ts");
  const reached = new Set(entryPoints);
  for (const file of reached) {
    expect(file, `reached from ${entryPoints.join(", ")}`).toMatch(/\.(?:ts|mjs|json)$/);
    if (!file.endsWith(".ts")) continue;
    for (const { to, typesOnly } of importsOf(file)) if (!typesOnly) reached.add(to);
  }
});

/** Routes may import server code: the compiler removes it from the browser bundle. */
const routeFiles = new Set(
  [...readFileSync("app/routes.ts", "utf8").matchAll(/"([\w/.-]+\.tsx?)"/g)].map(
    ([, file]) => `app/${file}`,
  ),
);

function isForBrowser(file: string): boolean {
  return (
    file.startsWith("app/") &&
    !routeFiles.has(file) &&
    !/\.server\.tsx?$|\/emails\.tsx$|entry\.server|app\/root\.tsx|app\/mail\/|stand-in/.test(file)
  );
}

function mayImport(from: string, to: string | undefined): boolean {
  if (!to || from === to) return true;
  return layerOf(to) < layerOf(from);
}

function layerOf(folder: string): number {
  return layers.findIndex((layer) => layer.includes(folder));
}

function folderOf(file: string): string | undefined {
  const [top, second] = file.split("/");
  const inFolder = `${top}/${second}`;
  if (layerOf(inFolder) >= 0) return inFolder;
  return top && layerOf(top) >= 0 && (top !== "app" || file.split("/").length === 2)
    ? top
    : undefined;
}
