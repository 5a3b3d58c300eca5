import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { withLock } from "../process/process-lock.ts";

/** The files and folders that the build reads. */
export const sources = [
  "app",
  "server",
  "db",
  "public",
  "package-lock.json",
  "vite.config.ts",
  "react-router.config.ts",
  "tsconfig.json",
];

/** Describes a build's sources and files. It is written last, so an interrupted build has none. */
type Stamp = { sources: string; gallery: boolean; files: Record<string, number> };

/**
 * Builds the product if its sources have changed since the last build, or built files are missing.
 *
 * @param options.gallery whether the build has the gallery of components. Without a value, either will do, and a new
 * build has it.
 * @throws {Error} with the output of a failed build.
 */
export async function buildIfStale(options: {
  root: string;
  log: (message: string) => void;
  gallery?: boolean | undefined;
}): Promise<"built" | "fresh"> {
  const { root, log, gallery } = options;
  if (isFresh(root, gallery)) return "fresh";
  // The lock is not in build/, because the build deletes that folder first.
  return await withLock(join(root, ".react-router", "build.lock"), async () => {
    // Another copy may have built while this one waited.
    if (isFresh(root, gallery)) return "fresh";
    log("Building because sources have changed");
    const startedAt = performance.now();
    // Hashed before the build, so that changes during it trigger another build.
    const sourcesHash = hashSources(root);
    rmSync(getStampFile(root), { force: true });
    const hasGallery = gallery ?? true;
    await build(root, hasGallery);
    writeStamp(root, { sources: sourcesHash, gallery: hasGallery, files: listBuilt(root) });
    log(`Built in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
    return "built";
  });
}

function isFresh(root: string, gallery: boolean | undefined): boolean {
  const stamp = readStamp(root);
  if (!stamp || stamp.sources !== hashSources(root)) return false;
  if (gallery !== undefined && stamp.gallery !== gallery) return false;
  const present = listBuilt(root);
  return Object.entries(stamp.files).every(([file, size]) => present[file] === size);
}

function hashSources(root: string): string {
  const hash = createHash("sha256");
  for (const file of sources.flatMap((name) => listFiles(root, name))) {
    if (/\.test\.tsx?$/.test(file)) continue;
    const content = readFileSync(join(root, file));
    hash.update(`${file}\0${content.length}\0`).update(content);
  }
  return hash.digest("hex");
}

function listBuilt(root: string): Record<string, number> {
  const files = ["build/client", "build/server"].flatMap((name) => listFiles(root, name));
  return Object.fromEntries(files.map((file) => [file, statSync(join(root, file)).size]));
}

/** Lists the files of a folder, or the file itself, as sorted paths relative to `root`. */
function listFiles(root: string, path: string): string[] {
  const entry = statSync(join(root, path), { throwIfNoEntry: false });
  if (!entry) return [];
  if (!entry.isDirectory()) return [path];
  return readdirSync(join(root, path))
    .toSorted()
    .flatMap((name) => listFiles(root, `${path}/${name}`));
}

async function build(root: string, gallery: boolean): Promise<void> {
  const reactRouter = join(root, "node_modules/@react-router/dev/bin.cjs");
  const child = spawn(process.execPath, ["--import", endWithParent, reactRouter, "build"], {
    cwd: root,
    env: { ...process.env, NODE_ENV: "production", GALLERY: gallery ? "on" : "off" },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const end = await new Promise<string | null>((resolve) => {
    child.on("error", (error) => resolve(error.message));
    child.on("close", (code, signal) => resolve(code === 0 ? null : (signal ?? `code ${code}`)));
  });
  if (end !== null) throw new Error(`The build failed (${end}):\n${output}`);
}

/** Ends the build with its parent, so that it cannot overwrite the files of the next build. */
const endWithParent = `data:text/javascript,${encodeURIComponent(`
  process.on("disconnect", () => process.exit(1));
  process.channel.unref();
`)}`;

function readStamp(root: string): Stamp | null {
  try {
    return JSON.parse(readFileSync(getStampFile(root), "utf8")) as Stamp;
  } catch {
    return null;
  }
}

function writeStamp(root: string, stamp: Stamp): void {
  const unfinished = `${getStampFile(root)}.unfinished`;
  mkdirSync(join(root, "build"), { recursive: true });
  writeFileSync(unfinished, JSON.stringify(stamp));
  renameSync(unfinished, getStampFile(root));
}

function getStampFile(root: string): string {
  return join(root, "build", "stamp.json");
}

if (import.meta.main) {
  const root = join(import.meta.dirname, "../..");
  const gallery = process.argv.includes("--with-gallery");
  if ((await buildIfStale({ root, log: console.log, gallery })) === "fresh")
    console.log("The build is up to date");
}
