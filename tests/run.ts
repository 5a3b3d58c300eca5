import { spawn } from "node:child_process";
import { glob, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { buildIfStale } from "../server/fresh-build.ts";
import { findChromium } from "./support/chromium.ts";

/**
 * `npm test`: builds, then runs every test: unit and integration tests with Vitest, browser journeys
 * with Playwright. Arguments name the journeys or test files to run, as in `npm test -- app/jobs`.
 * Ends with one line that counts them all.
 */
const root = resolve(import.meta.dirname, "..");
const filters = process.argv.slice(2);
const isJourney = (filter: string) => filter.includes("journeys");
const reports = await mkdtemp(join(tmpdir(), "naksha-reports-"));

const total = { passed: 0, failed: 0, skipped: 0 };
try {
  const [chromium] = await Promise.all([findChromium(), buildIfStale({ root, log: console.log })]);
  if (filters.length === 0 || !filters.every(isJourney)) await runVitest();
  if (filters.length === 0 || filters.some(isJourney)) await runJourneys(chromium);
} finally {
  await rm(reports, { recursive: true, force: true });
}
const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : "";
console.log(`\n${total.passed} passed, ${total.failed} failed${skipped}`);
process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0;

type VitestReport = { numPassedTests: number; numFailedTests: number; numPendingTests: number };

async function runVitest(): Promise<void> {
  const file = join(reports, "vitest.json");
  const code = await run(
    [
      "node_modules/vitest/vitest.mjs",
      "run",
      "--reporter=default",
      "--reporter=json",
      `--outputFile=${file}`,
    ],
    filters.filter((filter) => !isJourney(filter)),
  );
  const report = await readReport<VitestReport>(file);
  count(code, report?.numPassedTests, report?.numFailedTests, report?.numPendingTests);
}

type PlaywrightReport = {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
};

async function runJourneys(chromium: string): Promise<void> {
  const file = join(reports, "playwright.json");
  const code = await run(
    [
      "node_modules/@playwright/test/cli.js",
      "test",
      "--config",
      "tests/journeys/playwright.config.ts",
    ],
    filters.filter(isJourney),
    { CHROMIUM: chromium, PLAYWRIGHT_JSON_OUTPUT_NAME: file },
  );
  if (code !== 0) await printFailedPages();
  const stats = (await readReport<PlaywrightReport>(file))?.stats;
  count(code, stats?.expected, (stats?.unexpected ?? 0) + (stats?.flaky ?? 0), stats?.skipped);
}

/** What stood on the page when a journey failed: on a machine that is gone afterwards, the only trace of it. */
async function printFailedPages(): Promise<void> {
  for await (const file of glob("test-results/*/error-context.md", { cwd: root }))
    console.log(`\n${file}\n${await readFile(join(root, file), "utf8")}`);
}

/** A runner that fails without naming a test (it could not start, say) counts as one failure. */
function count(code: number, passed = 0, failed = 0, skipped = 0): void {
  total.passed += passed;
  total.failed += code !== 0 && failed === 0 ? 1 : failed;
  total.skipped += skipped;
}

function run(command: string[], args: string[], env: Record<string, string> = {}): Promise<number> {
  return new Promise((done, reject) => {
    const child = spawn(process.execPath, [...command, ...args], {
      cwd: root,
      stdio: "inherit",
      env: { ...process.env, ...env },
    });
    child.on("error", reject);
    child.on("exit", (code) => done(code ?? 1));
  });
}

async function readReport<Report>(file: string): Promise<Report | null> {
  const text = await readFile(file, "utf8").catch(() => null);
  return text === null ? null : (JSON.parse(text) as Report);
}
