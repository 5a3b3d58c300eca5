import { globSync, readFileSync } from "node:fs";
import { cp, symlink } from "node:fs/promises";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { sentSize } from "../../tests/support/inventory/page-scripts.ts";
import { ownFolder } from "../../tests/support/product/own-folder.ts";
import { buildIfStale, sources } from "./fresh-build.ts";

// Covered by "server/bundle/fresh-build.test.ts: a build for production leaves the gallery out".
test("the gallery leaves no byte in a production build, and changes no script of a screen @slow", async () => {
  const root = ownFolder(onTestFinished);
  for (const source of sources)
    await cp(source, join(root, source), { recursive: true, preserveTimestamps: true });
  await symlink(resolve("node_modules"), join(root, "node_modules"));
  await buildIfStale({ root, log: () => {}, gallery: false });

  const files = globSync("build/{client,server}/**/*.{js,css,json}", { cwd: root });
  expect(files.length).toBeGreaterThan(250);
  const isOfGallery = (file: string) =>
    /site\/gallery|gallery_/.test(readFileSync(join(root, file), "utf8"));
  expect(files.filter(isOfGallery)).toEqual([]);

  const [shipped, tested] = [await sumScripts(root), await sumScripts(".")];
  expect(shipped.size).toBeGreaterThan(100);
  const larger = [...shipped].filter(([route, size]) => size > (tested.get(route) ?? 0) * 1.01);
  expect(larger).toEqual([]);
});

/** Returns how many bytes of compressed scripts each route loads. */
async function sumScripts(root: string): Promise<Map<string, number>> {
  const client = join(root, "build/client");
  const [file] = globSync("assets/manifest-*.js", { cwd: client });
  const text = readFileSync(join(client, file!), "utf8");
  const { routes } = JSON.parse(/=(\{.*\})/s.exec(text)![1]!) as {
    routes: Record<string, { module: string; imports: string[] }>;
  };
  const sums = new Map<string, number>();
  for (const [id, { module, imports }] of Object.entries(routes)) {
    const sizes = [...new Set([module, ...imports])].map((script) => sentSize(script, client));
    sums.set(
      id,
      (await Promise.all(sizes)).reduce((sum, size) => sum + size),
    );
  }
  return sums;
}
