import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { screens } from "./screens.ts";

const built = "build/client";

/** The pages that a visitor can open without an id in the address, and one that does not exist. No demo pages. */
export const visitorPages = Object.entries(screens).flatMap(([path, { who, redirects }]) => {
  if (path === "/*") return ["/nowhere"];
  const isPage =
    who.includes("visitor") &&
    !path.includes(":") &&
    !path.startsWith("/demo/") &&
    !redirects &&
    path !== "/session";
  return isPage ? [path] : [];
});

/**
 * Finds the scripts that a page loads on its own: those in its HTML, and their static imports.
 *
 * @returns their brotli sizes in bytes, by file name below `build/client`
 */
export async function scriptsOf(html: string): Promise<Map<string, number>> {
  const sizes = new Map<string, number>();
  const waiting = [...html.matchAll(/"\/(assets\/[\w.-]+\.js)"/g)]
    .map(([, file]) => file!)
    // The router's data also names other screens, which load when they are visited.
    .filter((file) => isLoaded(html, file));
  for (const file of waiting) {
    if (sizes.has(file)) continue;
    sizes.set(file, await sentSize(file));
    waiting.push(...(await importsOf(file)));
  }
  return sizes;
}

/** Returns the size of a built file as sent, in bytes. The smallest files are sent uncompressed. */
export async function sentSize(file: string, folder = built): Promise<number> {
  const path = join(folder, file);
  return (await readFile(`${path}.br`).catch(() => readFile(path))).length;
}

function isLoaded(html: string, file: string): boolean {
  const name = file.replaceAll(".", "\\.");
  return new RegExp(
    `rel="later-modulepreload"[^>]*href="/${name}"|<script[^>]*src="/${name}"|(from|import|import\\()\\s*"/${name}"`,
  ).test(html);
}

/** Lists static imports only, because dynamic imports are not part of the page. */
async function importsOf(file: string): Promise<string[]> {
  const script = await readFile(join(built, file), "utf8");
  const imports = script.matchAll(/(?:from|import)\s*["']\.\/([\w.-]+\.js)["']/g);
  return [...imports].map(([, name]) => `assets/${name}`);
}
