import { spawn } from "node:child_process";
import { glob, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { parseArgs, stripVTControlCharacters } from "node:util";
import { buildIfStale } from "../server/bundle/fresh-build.ts";
import { needsBuild } from "./support/product/needs.ts";

/**
 * `npm test`: runs every test: unit and integration tests with Vitest, browser journeys with Playwright.
 * Arguments name the journeys or test files to run, as in `npm test -- app/jobs`; it builds and looks for
 * a browser where one of them needs that. Ends with those that failed and why, and one line that counts them
 * all: of a run on a machine that is gone afterwards often only the end is kept.
 *
 * `npm run test:watch`: the tests of Vitest, again whenever something that they import changes.
 */
const root = resolve(import.meta.dirname, "..");
const vitest = "node_modules/vitest/vitest.mjs";
const playwright = "node_modules/@playwright/test/cli.js";
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { watch: { type: "boolean" } },
});
const isJourney = (filter: string) => filter.includes("journeys");
const journeys = positionals.filter(isJourney);
const files = positionals.filter((filter) => !isJourney(filter));
const isWhole = positionals.length === 0;

/** A test that failed, by its file and name, and what was said of it. */
type Failure = { name: string; messages: string[] };

type Count = {
  passed?: number;
  failed?: number;
  skipped?: number;
  failures?: Failure[];
};

if (values.watch) process.exitCode = await watch();
else report(await runOnce());

async function watch(): Promise<number> {
  if (needsBuild(files)) await buildIfStale({ root, log: console.log });
  // Without a filter it waits for the first edit.
  return run([vitest, "watch", ...(isWhole ? ["--standalone"] : [])], files);
}

async function runOnce(): Promise<Count[]> {
  const reports = await mkdtemp(join(tmpdir(), "naksha-reports-"));
  try {
    const withJourneys = isWhole || journeys.length > 0;
    const withFiles = isWhole || files.length > 0;
    const [chromium] = await Promise.all([
      withJourneys ? findBrowser() : "",
      withJourneys || needsBuild(files) ? buildIfStale({ root, log: console.log }) : "not needed",
    ]);
    return [
      withFiles ? await runFiles(join(reports, "vitest.json")) : {},
      withJourneys ? await runJourneys(join(reports, "playwright.json"), chromium) : {},
    ];
  } finally {
    await rm(reports, { recursive: true, force: true });
  }
}

/** Playwright is loaded only where it is used: it takes as long as a file of unit tests. */
async function findBrowser(): Promise<string> {
  const { findChromium } = await import("./support/product/chromium.ts");
  return findChromium();
}

function report(counts: Count[]): void {
  const sum = (name: "passed" | "failed" | "skipped") =>
    counts.reduce((all, count) => all + (count[name] ?? 0), 0);
  const [passed, failed, skipped] = [sum("passed"), sum("failed"), sum("skipped")];
  for (const { name, messages } of counts.flatMap(({ failures = [] }) => failures))
    console.log(`\nFailed: ${name}\n${messages.map(beginOf).join("\n")}`);
  console.log(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
  process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
}

/** The first lines of a message: what was expected, what came, and where in our own files. */
function beginOf(message: string): string {
  const lines = stripVTControlCharacters(message).split("\n");
  const ours = lines.filter(
    (line) => line.trim() !== "" && !/^\s+at .*(node_modules|new Promise)/.test(line),
  );
  return ours
    .slice(0, 20)
    .map((line) => `  ${line.slice(0, 1000)}`)
    .join("\n");
}

type VitestReport = {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  testResults: {
    name: string;
    status: string;
    message: string;
    assertionResults: { fullName: string; status: string; failureMessages: string[] | null }[];
  }[];
};

async function runFiles(file: string): Promise<Count> {
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile=${file}`];
  const code = await run([vitest, "run", ...reporters], files);
  const found = await readReport<VitestReport>(file);
  return counted(code, {
    passed: found?.numPassedTests,
    failed: found?.numFailedTests,
    skipped: found?.numPendingTests,
    failures: found?.testResults.flatMap(failuresOf),
  });
}

/** A file that ends before its first test has only a message of its own. */
function failuresOf(file: VitestReport["testResults"][number]): Failure[] {
  const path = relative(root, file.name);
  const failed = file.assertionResults.filter(({ status }) => status === "failed");
  if (failed.length === 0 && file.status === "failed")
    return [{ name: path, messages: [file.message] }];
  return failed.map(({ fullName, failureMessages }) => ({
    name: `${path}: ${fullName}`,
    messages: failureMessages ?? [],
  }));
}

type Spec = {
  file: string;
  title: string;
  ok: boolean;
  tests: { results: { errors: { message?: string }[] }[] }[];
};
type Suite = { specs: Spec[]; suites?: Suite[] };
type PlaywrightReport = {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
  suites: Suite[];
};

async function runJourneys(file: string, chromium: string): Promise<Count> {
  // A trace takes every action down, and is looked at only by whoever runs a few.
  const trace = isWhole ? ["--trace", "off"] : [];
  const config = ["--config", "tests/journeys/playwright.config.ts"];
  const code = await run([playwright, "test", ...config, ...trace], journeys, {
    CHROMIUM: chromium,
    PLAYWRIGHT_JSON_OUTPUT_NAME: file,
  });
  if (code !== 0) await printFailedPages();
  const { stats, suites = [] } = (await readReport<PlaywrightReport>(file)) ?? {};
  return counted(code, {
    passed: stats?.expected,
    failed: (stats?.unexpected ?? 0) + (stats?.flaky ?? 0),
    skipped: stats?.skipped,
    failures: suites.flatMap(failedIn),
  });
}

function failedIn({ specs, suites = [] }: Suite): Failure[] {
  const failed = specs.filter(({ ok }) => !ok);
  return [...failed.map(failureOf), ...suites.flatMap(failedIn)];
}

function failureOf({ file, title, tests }: Spec): Failure {
  const errors = tests.flatMap(({ results }) => results.flatMap((result) => result.errors));
  return { name: `${file}: ${title}`, messages: errors.map(({ message = "" }) => message) };
}

/** What stood on the page when a journey failed: on a machine that is gone afterwards, the only trace of it. */
async function printFailedPages(): Promise<void> {
  for await (const file of glob("test-results/*/error-context.md", { cwd: root }))
    console.log(`\n${file}\n${await readFile(join(root, file), "utf8")}`);
}

/** A runner that fails without naming a test (it could not start, say) counts as one failure. */
function counted(code: number, count: Count): Count {
  return code !== 0 && !count.failed ? { ...count, failed: 1 } : count;
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
