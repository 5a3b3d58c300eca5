import { readFile } from "node:fs/promises";
import { partsFile, type ScriptParts } from "../server/bundle/plugins.ts";
import { startProduct } from "../tests/journeys/support/product.ts";
import { ownPostgres } from "../tests/support/product/own-postgres.ts";
import { visitorPages, scriptsOf } from "../tests/support/inventory/page-scripts.ts";

/**
 * `npm run bundle-report` lists the size of scripts that each public page loads, compressed with brotli, and the
 * packages and folders in each script. Their sizes are estimated from their shares before minification.
 * `tests/page-weight.test.ts` enforces limits.
 */
const parts = JSON.parse(await readFile(partsFile, "utf8")) as ScriptParts;
const postgres = await ownPostgres({ durable: false });
const product = await startProduct();
const loaded = new Map<string, number>();
try {
  console.log(`${"page".padEnd(26)}${"script".padStart(10)}  files`);
  for (const page of visitorPages) {
    const html = await (await fetch(product.origin + page)).text();
    const scripts = await scriptsOf(html);
    for (const [file, size] of scripts) loaded.set(file, size);
    console.log(`${page.padEnd(26)}${formatSize(sum(scripts.values()))}  ${scripts.size}`);
  }
} finally {
  await product.stop();
  await postgres.end();
}

const bySize = [...loaded].toSorted(([, one], [, other]) => other - one);
for (const [file, size] of bySize) {
  console.log(`\n${file.padEnd(50)}${formatSize(size)}`);
  for (const [group, share] of groups(parts[file] ?? {}))
    console.log(`  ${group.padEnd(48)}${formatSize(share * size)}`);
}

/** Lists the packages and folders of a script with their shares, largest first. */
function groups(modules: Record<string, number>): [string, number][] {
  const total = sum(Object.values(modules));
  const sizes = new Map<string, number>();
  for (const [module, size] of Object.entries(modules)) {
    const group = groupOf(module);
    sizes.set(group, (sizes.get(group) ?? 0) + size);
  }
  return [...sizes]
    .filter(([, size]) => size > 0)
    .map(([group, size]): [string, number] => [group, size / total])
    .toSorted(([, one], [, other]) => other - one);
}

function groupOf(module: string): string {
  const [, name] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(module) ?? [];
  if (name) return name;
  return /^app\/[^/]+/.exec(module)?.[0] ?? "build tool";
}

function sum(sizes: Iterable<number>): number {
  return [...sizes].reduce((total, size) => total + size, 0);
}

function formatSize(bytes: number): string {
  return `${(bytes / 1024).toFixed(1)} KB`.padStart(10);
}
