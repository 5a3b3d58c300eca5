import { join, relative } from "node:path";
import { slowTitle } from "../inventory/selection.ts";
import { escapePattern } from "../inventory/titles.ts";
import { type Count, countOf, type Failure } from "./report.ts";
import { readReport, root, runNode } from "./run-node.ts";

/** The command line of Vitest, for Node. */
export const vitest = "node_modules/vitest/vitest.mjs";

/** The parts of the JSON report that we read. */
export type VitestReport = {
  numPassedTests: number;
  numFailedTests: number;
  testResults: {
    name: string;
    status: string;
    message: string;
    assertionResults: {
      title: string;
      fullName: string;
      status: string;
      failureMessages: string[] | null;
    }[];
  }[];
};

/**
 * Runs unit and integration tests.
 *
 * @param reports the folder for the JSON report
 * @param args parts of paths, and Vitest's options
 */
export async function runVitest(
  reports: string,
  args: string[],
  env: Record<string, string>,
): Promise<Count> {
  const file = join(reports, "vitest.json");
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile=${file}`];
  const ended = await runNode([vitest, "run", ...reporters, ...args], env);
  const report = await readReport<VitestReport>(file);
  return countOf("Vitest", ended, {
    passed: report?.numPassedTests,
    failed: report?.numFailedTests,
    skipped: report ? countSkipped(report, env) : undefined,
    failures: report?.testResults.flatMap((result) => failuresIn(result, { reports, env })),
  });
}

/** Counts the tests that are skipped for another reason than the tier. */
function countSkipped({ testResults }: VitestReport, { TEST_TIER }: Run["env"]): number {
  return testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => !/passed|failed/.test(status))
    .filter(({ fullName }) => TEST_TIER !== "fast" || !slowTitle.test(fullName)).length;
}

type Run = { reports: string; env: Record<string, string> };

/** A file that fails before its first test has only its own message. */
function failuresIn(result: VitestReport["testResults"][number], run: Run): Failure[] {
  const path = relative(root, result.name);
  const failed = result.assertionResults.filter(({ status }) => status === "failed");
  if (failed.length === 0 && result.status === "failed") {
    const runAlone = () => runVitest(run.reports, [path], run.env);
    return [{ name: path, messages: [result.message], runAlone }];
  }
  return failed.map(({ fullName, failureMessages }) => ({
    name: `${path}: ${fullName}`,
    messages: failureMessages ?? [],
    runAlone: () => runAlone({ path, fullName }, run),
  }));
}

async function runAlone({ path, fullName }: { path: string; fullName: string }, run: Run) {
  const exactly = `^${escapePattern(fullName)}$`;
  const count = await runVitest(run.reports, [path, "--testNamePattern", exactly], run.env);
  // The file's other tests are skipped.
  return { ...count, skipped: 0 };
}
