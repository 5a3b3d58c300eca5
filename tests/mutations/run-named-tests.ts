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

/** One result of a runner's report. A test of a table has one for each row. */
type Result = { file: string; title: string; status: string; messages: string[] };

/**
 * Runs tests by their names, with Vitest or Playwright. Builds the product first where one of them needs that.
 *
 * @throws {Error} when a test is not found or is skipped, when it fails by anything but an assertion, and
 * when the product cannot be built.
 */
export async function runNamedTests(place: Place, tests: NamedTest[]): Promise<TestOutcome[]> {
  const journeys = tests.filter(isJourney);
  const others = tests.filter((test) => !isJourney(test));
  if (journeys.length > 0 || (others.length > 0 && needsBuild(others.map(({ file }) => file))))
    await buildIfStale({ root: place.tree.folder, log: () => {} });
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
    throw new Error(`${test.file} did not run "${test.title}". The runner said:\n${output}`);
  if (failed.length > 0 && !messages.some((message) => assertion.test(message)))
    throw new Error(`"${test.title}" failed by no assertion:\n${messages.join("\n")}`);
  return { test, hasPassed: failed.length === 0, messages };
}

/** The marks of an assertion: Vitest's, its `rejects`, fast-check's and Playwright's. */
const assertion = /AssertionError|__VITEST_(REJECTS|RESOLVES)__|Property failed after|expect\(/;

/** Longer than any of the tests takes on a busy computer. */
const longestRun = 5 * 60_000;

/** @throws {Error} when the runner ends without a report. */
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
      // The cases that `npm test` runs, where a test has more of them.
      TEST_TIER: "fast",
      ...(databaseUrl && { TEST_DATABASE_URL: databaseUrl }),
      ...envFor(file),
    },
    signal,
    timeout: longestRun,
  });
  const report = await readReport<unknown>(file);
  if (report === null) throw new Error(`The runner wrote no report. It said:\n${output}`);
  return { report, output };
}

/** @returns what it printed; its exit code says nothing that its report does not say. */
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
