import { readFile } from "node:fs/promises";
import { globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, test } from "vitest";

/**
 * Imports run one way. Each layer may import from those above it in this list and from its own
 * folder; folders of one layer do not know each other.
 */
const layers = [
  ["app/platform"],
  ["app/ui"],
  ["app/files", "app/mail"],
  ["app/accounts"],
  ["app/payments", "app/subscriptions", "app/jobs"],
  ["app/reviews"],
  ["app/support", "app/admin", "app/site"],
  ["app"],
  ["db"],
  ["server"],
];

const sources = globSync("{app,db,server}/**/*.{ts,tsx,css}").filter(
  (file) => !/\.(test|d)\.tsx?$/.test(file),
);

test("every source file belongs to a layer", () => {
  expect(sources.length).toBeGreaterThan(100);
  expect(sources.filter((file) => !folderOf(file))).toEqual([]);
});

test("imports run one way", async () => {
  const wrong: string[] = [];
  for (const file of sources) {
    for (const imported of await importsOf(file)) {
      if (!mayImport(folderOf(file)!, folderOf(imported)))
        wrong.push(`${file} imports ${imported}`);
    }
  }
  expect(wrong).toEqual([]);
});

test("what runs in the browser imports server code only for loaders, actions and types", async () => {
  const wrong: string[] = [];
  for (const file of sources.filter((source) => isForBrowser(source))) {
    for (const imported of await importsOf(file)) {
      if (imported.includes(".server.")) wrong.push(`${file} imports ${imported}`);
    }
  }
  expect(wrong).toEqual([]);
});

test("what Node runs by itself reaches no component, which Node cannot read", async () => {
  const commands = await readFile("run.mjs", "utf8");
  const begun = [...commands.matchAll(/\["((?:server|bench|tests)\/[\w/-]+\.ts)"/g)].map(
    ([, file]) => file!,
  );
  expect(begun).toContain("tests/screens.ts");
  const reached = new Set(begun);
  for (const file of reached) {
    expect(file, `reached from ${begun.join(", ")}`).toMatch(/\.(?:ts|mjs|json)$/);
    if (file.endsWith(".ts")) for (const imported of await importsOf(file)) reached.add(imported);
  }
});

/** Routes may: the compiler drops what only their server half uses. */
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

const importsOfCode =
  /^(?:import|export)\s+(?!type\b)(?:[^"';]*?from\s+)?"(\.[^"]+)"|import\("(\.[^"]+)"\)/gm;
/** Other sheets, and what masks and faces are made of. */
const importsOfCss = /(?:@import\s+|url\()"(\.[^"]+)"/g;

/** Relative imports of a file, as paths from the root; imports of types alone are left out. */
async function importsOf(file: string): Promise<string[]> {
  const text = await readFile(file, "utf8");
  return [...text.matchAll(file.endsWith(".css") ? importsOfCss : importsOfCode)]
    .map((match) => relative(".", join(dirname(file), match[1] ?? match[2] ?? "")))
    .filter((imported) => !imported.includes("+types"));
}
