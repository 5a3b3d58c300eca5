import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "@playwright/test";
import { findChromium } from "../tests/support/product/chromium.ts";
import { freePorts } from "../tests/support/product/free-ports.ts";
import { ownPostgres } from "../tests/support/product/own-postgres.ts";

/**
 * `npm run edits` measures how long an edit takes to appear with `npm run dev`: a screen in a browser, and server
 * code in a response. Each file is edited and restored five times. Fails if a median exceeds its limit. A busy
 * machine makes every edit look slow.
 */
const rounds = 5;
/** Limits in milliseconds. */
const limits = { screen: 1_000, server: 3_000 };
const heading = "A map for a design career";

const postgres = await ownPostgres({ durable: false });
const dataDir = await mkdtemp(join(tmpdir(), "naksha-edits-"));
const port = await freePorts(3);
const origin = `http://localhost:${port}`;
const child = spawn(process.execPath, ["server/main.ts", "dev"], {
  env: {
    ...process.env,
    ENV_FILE: "none",
    PORT: String(port),
    DATA_DIR: dataDir,
    DATABASE_URL: process.env.TEST_DATABASE_URL,
  },
  stdio: ["ignore", "pipe", "inherit"],
});
const browser = await chromium.launch({
  executablePath: await findChromium(),
  args: ["--no-sandbox", "--disable-gpu"],
});
try {
  await new Promise<void>((ready) =>
    child.stdout.on("data", (chunk) => String(chunk).includes("(ready in") && ready()),
  );
  const page = await browser.newPage();
  // Vite bundles the browser's libraries at the first visit.
  await page.goto(`${origin}/about`);
  await page.locator("html[data-live]").waitFor({ state: "attached", timeout: 120_000 });
  const pageHeading = page.getByRole("heading", { level: 1 });
  await measure("screen", "app/site/about.screen.tsx", heading, async (text) => {
    await pageHeading.filter({ hasText: text }).waitFor();
  });
  await measure("server", "server/public/public-documents.ts", "User-agent: *", async (text) => {
    while (!(await fetchText("/robots.txt")).startsWith(`${text}\n`));
  });
} finally {
  await browser.close();
  child.kill("SIGTERM");
  await new Promise((ended) => child.once("exit", ended));
  await postgres.end();
  await rm(dataDir, { recursive: true, force: true });
}

/** @param waitForText waits until the edited text appears */
async function measure(
  what: keyof typeof limits,
  file: string,
  text: string,
  waitForText: (text: string) => Promise<void>,
): Promise<void> {
  const before = await readFile(file, "utf8");
  const times: number[] = [];
  try {
    for (let round = 0; round < rounds; round += 1) {
      const edited = `${text} ${round}`;
      const startedAt = performance.now();
      await writeFile(file, before.replace(text, edited));
      await waitForText(edited);
      times.push(performance.now() - startedAt);
    }
  } finally {
    await writeFile(file, before);
  }
  const median = times.toSorted((one, other) => one - other)[Math.floor(rounds / 2)]!;
  console.log(`${what.padEnd(8)}${median.toFixed(0).padStart(6)} ms of ${limits[what]}`);
  if (median > limits[what]) process.exitCode = 1;
}

async function fetchText(path: string): Promise<string> {
  return (await fetch(origin + path)).text();
}
