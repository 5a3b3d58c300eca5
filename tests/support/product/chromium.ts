import { execFile } from "node:child_process";
import { access } from "node:fs/promises";
import { delimiter, join, resolve } from "node:path";
import { promisify } from "node:util";
import { chromium } from "@playwright/test";

const execute = promisify(execFile);

/** The headless shell comes first because it opens a page three times as fast. */
const names = [
  "chromium-headless-shell",
  "chromium",
  "chromium-browser",
  "google-chrome-stable",
  "google-chrome",
];

/**
 * Finds a Chromium for the browser tests, or installs one: Playwright's build if it can be downloaded, else
 * Debian's package if we are root.
 *
 * @returns the path of the program
 * @throws {Error} with instructions to install one by hand
 */
export async function findChromium(): Promise<string> {
  const present = process.env.CHROMIUM ?? (await installed());
  if (present) return present;
  console.log("No Chromium found. Installing one for the browser tests.");
  const attempts = [installWithPlaywright, installWithApt];
  for (const install of attempts) {
    await install().catch((error: Error) => console.log(error.message.split("\n")[0]));
    const found = await installed();
    if (found) return found;
  }
  throw new Error(
    "The browser tests need Chromium. Install it (Debian: apt-get install chromium), or set CHROMIUM to its path.",
  );
}

async function installed(): Promise<string | null> {
  const folders = (process.env.PATH ?? "").split(delimiter);
  const candidates = [
    chromium.executablePath(),
    ...names.flatMap((name) => folders.map((folder) => join(folder, name))),
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  ];
  for (const candidate of candidates) {
    const isThere = await access(candidate).then(
      () => true,
      () => false,
    );
    if (isThere) return candidate;
  }
  return null;
}

async function installWithPlaywright(): Promise<void> {
  const cli = resolve("node_modules/@playwright/test/cli.js");
  await execute(process.execPath, [cli, "install", "chromium"], { timeout: 300_000 });
}

async function installWithApt(): Promise<void> {
  if (process.getuid?.() !== 0) throw new Error("Only root can install the system's Chromium.");
  const options = { timeout: 600_000, env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } };
  await execute("apt-get", ["update"], options);
  const install = ["install", "-y", "--no-install-recommends"];
  await execute("apt-get", [...install, "chromium-headless-shell"], options).catch(() =>
    execute("apt-get", [...install, "chromium"], options),
  );
}
