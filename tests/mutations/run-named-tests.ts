import { spawn } from "node:child_process";
import { rm } from "node:fs/promises";
import { join, relative } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { buildIfStale } from "../../server/bundle/fresh-build.ts";
import type { NamedTest } from "../support/inventory/mutations.ts";
import { titlePattern } from "../support/inventory/titles.ts";
import { findChromium } from "../support/product/chromium.ts";
import { needsBuild } from "../support/product/needs.ts";
import { journeysConfig, playwright, type Suite } from "../support/runner/playwright.ts";
import { readReport } from "../support/runner/run-node.ts";
import { vitest, type VitestReport } from "../support/runner/vitest.ts";
import type { WorkTree } from "./work-tree.ts";

/** The work tree, report folder and PostgreSQL (if needed) that tests run with. */
type Place = {
  tree: WorkTree;
  folder: string;
  databaseUrl: string | undefined;
  signal: AbortSignal;
};

export type TestOutcome = { test: NamedTest; hasPassed: boolean; messages: string[] };

/** One result of a runner's report. A `test.each` has one for each row. */
type Result = { file: string; title: string; status: string; messages: string[] };

/**
 * Runs tests by name, with Vitest or Playwright. Builds the product first if one of them needs it.
 *
 * @throws {Error} if a test is missing or skipped, if it fails without an assertion, or if the build fails
 */
export async function runNamedTests(place: Place, tests: NamedTest[]): Promise<TestOutcome[]> {
  const journeys = tests.filter(isJourney);
  const others = tests.filter((test) => !isJourney(test));
  if (journeys.length > 0 || (others.length > 0 && needsBuild(others.map(({ file }) => file))))
    await buildIfStale({ root: place.tree.folder, log: () => {}, gallery: true });
  const ofOthers = others.length > 0 ? await runVitest(place, others) : [];
  const ofJourneys = journeys.length > 0 ? await runPlaywright(place, journeys) : [];
  return [...ofOthers, ...ofJourneys];
}

export function isJourney({ file }: NamedTest): boolean {
  return file.startsWith("tests/journeys/");
}

async function runVitest(place: Place, tests: NamedTest[]): Promise<TestOutcome[]> {
  const { report, output } = await run(place, (file) => [
    vitest,
    "run",
    "--reporter=json",
    `--outputFile=${file}`,
    "--testNamePattern",
    patternOf(tests),
    ...filesOf(tests),
  ]);
  const { testResults } = report as VitestReport;
  const results = testResults.flatMap(({ name, message, assertionResults }): Result[] =>
    assertionResults.map(({ title, status, failureMessages }) => ({
      file: relative(place.tree.folder, name),
      title,
      status,
      messages: [...(failureMessages ?? []), message].filter(Boolean),
    })),
  );
  return tests.map((test) => outcomeOf(test, results, output));
}

async function runPlaywright(place: Place, tests: NamedTest[]): Promise<TestOutcome[]> {
  const CHROMIUM = await findChromium();
  const { report, output } = await run(
    place,
    () => [
      playwright,
      "test",
      ...journeysConfig,
      "--trace",
      "off",
      "--grep",
      patternOf(tests),
      ...filesOf(tests),
    ],
    (file) => ({ CHROMIUM, PLAYWRIGHT_JSON_OUTPUT_NAME: file }),
  );
  const results = (report as { suites: Suite[] }).suites.flatMap(resultsIn);
  return tests.map((test) => outcomeOf(test, results, output));
}

function resultsIn({ specs, suites = [] }: Suite): Result[] {
  const own = specs.flatMap(({ file, title, tests }) =>
    tests.flatMap(({ results }) =>
      results.map(({ status, errors }) => ({
        file: `tests/journeys/${file}`,
        title,
        status,
        messages: errors.map(({ message = "" }) => message),
      })),
    ),
  );
  return [...own, ...suites.flatMap(resultsIn)];
}

function outcomeOf(test: NamedTest, results: Result[], output: string): TestOutcome {
  const title = new RegExp(`^${titlePattern(test.title)}$`);
  const ran = results.filter(
    (result) =>
      result.file === test.file &&
      title.test(result.title) &&
      ["passed", "failed"].includes(result.status),
  );
  const failed = ran.filter(({ status }) => status === "failed");
  const messages = failed.flatMap((result) => result.messages.map(stripVTControlCharacters));
  if (ran.length === 0)
    throw new Error(`${test.file} did not run "${test.title}". The runner printed:\n${output}`);
  if (failed.length > 0 && !messages.some((message) => assertion.test(message)))
    throw new Error(`"${test.title}" failed without an assertion:\n${messages.join("\n")}`);
  return { test, hasPassed: failed.length === 0, messages };
}

/** Matches failed assertions of Vitest (also its `rejects`), fast-check and Playwright. */
const assertion = /AssertionError|__VITEST_(REJECTS|RESOLVES)__|Property failed after|expect\(/;

/** Longer than any test takes on a busy computer. */
const longestRun = 5 * 60_000;

/** @throws {Error} if the runner ends without a report */
async function run(
  { tree, folder, databaseUrl, signal }: Place,
  argsFor: (report: string) => string[],
  envFor: (report: string) => Record<string, string> = () => ({}),
): Promise<{ report: unknown; output: string }> {
  const file = join(folder, "report.json");
  await rm(file, { force: true });
  const output = await runNode(argsFor(file), {
    cwd: tree.folder,
    env: {
      ...process.env,
      // Runs the sample of cases that `npm test` runs.
      TEST_TIER: "fast",
      ...(databaseUrl && { TEST_DATABASE_URL: databaseUrl }),
      ...envFor(file),
    },
    signal,
    timeout: longestRun,
  });
  const report = await readReport<unknown>(file);
  if (report === null) throw new Error(`The runner wrote no report. It printed:\n${output}`);
  return { report, output };
}

/** Returns the output. The exit code is ignored because the report says more. */
function runNode(
  args: string[],
  options: { cwd: string; env: NodeJS.ProcessEnv; signal: AbortSignal; timeout: number },
): Promise<string> {
  return new Promise((done, reject) => {
    const child = spawn(process.execPath, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
    child.on("error", reject);
    child.on("close", () => done(output));
  });
}

function filesOf(tests: NamedTest[]): string[] {
  return [...new Set(tests.map(({ file }) => file))];
}

function patternOf(tests: NamedTest[]): string {
  return `(${tests.map(({ title }) => titlePattern(title)).join("|")})$`;
}
