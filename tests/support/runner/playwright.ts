import { glob, readFile } from "node:fs/promises";
import { join } from "node:path";
import { escapePattern } from "../inventory/titles.ts";
import { type Count, countOf, type Failure } from "./report.ts";
import { readReport, root, runNode } from "./run-node.ts";

/** The command line of Playwright, for Node. */
export const playwright = "node_modules/@playwright/test/cli.js";

export const journeysConfig = ["--config", "tests/journeys/playwright.config.ts"];

/** A journey in the JSON report. */
export type Spec = {
  file: string;
  line: number;
  title: string;
  ok: boolean;
  tests: { results: { status: string; errors: { message?: string }[] }[] }[];
};
export type Suite = { specs: Spec[]; suites?: Suite[] };
type PlaywrightReport = {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
  suites: Suite[];
};

/**
 * Runs browser journeys.
 *
 * @param reports the folder for the JSON report
 * @param args parts of paths, and Playwright's options
 * @param env includes `CHROMIUM`, the browser's path
 */
export async function runPlaywright(
  reports: string,
  args: string[],
  env: Record<string, string>,
): Promise<Count> {
  const file = join(reports, "playwright.json");
  const ended = await runNode([playwright, "test", ...journeysConfig, ...args], {
    ...env,
    PLAYWRIGHT_JSON_OUTPUT_NAME: file,
  });
  if (ended.code !== 0) await printFailedPages();
  const { stats, suites = [] } = (await readReport<PlaywrightReport>(file)) ?? {};
  return countOf("Playwright", ended, {
    passed: stats?.expected,
    failed: (stats?.unexpected ?? 0) + (stats?.flaky ?? 0),
    skipped: stats?.skipped,
    failures: suites.flatMap(failedSpecs).map((spec): Failure => ({
      ...failureOf(spec),
      runAlone: () => runPlaywright(reports, chooseOne(spec), env),
    })),
  });
}

/** Tests made in a loop share a line, so the title is needed too. */
function chooseOne({ file, line, title }: Spec): string[] {
  return [`${file}:${line}`, "--grep", `${escapePattern(title)}$`];
}

function failedSpecs({ specs, suites = [] }: Suite): Spec[] {
  return [...specs.filter(({ ok }) => !ok), ...suites.flatMap(failedSpecs)];
}

function failureOf({ file, title, tests }: Spec): Failure {
  const errors = tests.flatMap(({ results }) => results.flatMap((result) => result.errors));
  return { name: `${file}: ${title}`, messages: errors.map(({ message = "" }) => message) };
}

/** Prints the page of each failed journey, since CI keeps only the output. */
async function printFailedPages(): Promise<void> {
  for await (const file of glob("test-results/*/error-context.md", { cwd: root }))
    console.log(`\n${file}\n${await readFile(join(root, file), "utf8")}`);
}
