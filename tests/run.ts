import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { buildIfStale } from "../server/bundle/fresh-build.ts";
import { needsBuild } from "./support/product/needs.ts";
import { runPlaywright } from "./support/runner/playwright.ts";
import { type Count, printReport, runFailuresAgain } from "./support/runner/report.ts";
import { root, runNode } from "./support/runner/run-node.ts";
import { runVitest, vitest } from "./support/runner/vitest.ts";

/**
 * `npm test`: unit and integration tests with Vitest, browser journeys with Playwright. Leaves the cases in
 * `support/inventory/selection.ts` to the next command.
 *
 * `npm run test:exhaustive`: every case. With `--shard 1/3`, the first third. A test that fails runs once
 * more by itself; one that then passes is printed as unsteady.
 *
 * `npm run test:watch`: the tests of Vitest, again whenever something that they import changes.
 *
 * All take parts of paths, as in `npm test -- app/jobs`, and then run every case of those files. They build
 * the product and look for a browser only where a test needs that. `--reports DIR` keeps the runners' JSON
 * reports, which have the duration of every test.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    watch: { type: "boolean" },
    exhaustive: { type: "boolean", default: false },
    shard: { type: "string" },
    reports: { type: "string" },
  },
});
const isJourney = (filter: string) => filter.includes("journeys");
const journeys = positionals.filter(isJourney);
const files = positionals.filter((filter) => !isJourney(filter));
const isUnfiltered = positionals.length === 0;
const tier = values.exhaustive || !isUnfiltered ? "exhaustive" : "fast";
const shard = values.shard ? ["--shard", values.shard] : [];

process.exitCode = values.watch ? await watch() : printReport(await runOnce());

async function watch(): Promise<number> {
  if (needsBuild(files)) await buildIfStale({ root, log: console.log });
  // Without a filter Vitest waits for the first edit.
  return runNode([vitest, "watch", ...(isUnfiltered ? ["--standalone"] : []), ...files], {
    TEST_TIER: "exhaustive",
  });
}

async function runOnce(): Promise<Count[]> {
  const reports = await makeReportFolder();
  try {
    const withJourneys = isUnfiltered || journeys.length > 0;
    const withFiles = isUnfiltered || files.length > 0;
    const [chromium] = await Promise.all([
      withJourneys ? findBrowser() : "",
      withJourneys || needsBuild(files) ? buildIfStale({ root, log: console.log }) : "not needed",
    ]);
    const counts: Count[] = [];
    if (withFiles) counts.push(await runVitest(reports, [...files, ...shard], { TEST_TIER: tier }));
    if (withJourneys) {
      // Recording traces slows every action, and they are only useful for a few chosen journeys.
      const trace = isUnfiltered ? ["--trace", "off"] : [];
      const env = { TEST_TIER: tier, CHROMIUM: chromium };
      counts.push(await runPlaywright(reports, [...journeys, ...shard, ...trace], env));
    }
    return values.exhaustive ? await runAllFailuresAgain(counts) : counts;
  } finally {
    if (!values.reports) await rm(reports, { recursive: true, force: true });
  }
}

async function makeReportFolder(): Promise<string> {
  if (!values.reports) return mkdtemp(join(tmpdir(), "naksha-reports-"));
  const folder = resolve(values.reports);
  await mkdir(folder, { recursive: true });
  return folder;
}

/** Playwright is loaded only where it is used: loading it takes as long as a file of unit tests. */
async function findBrowser(): Promise<string> {
  const { findChromium } = await import("./support/product/chromium.ts");
  return findChromium();
}

/** One runner after the other: they would slow each other down. */
async function runAllFailuresAgain(counts: Count[]): Promise<Count[]> {
  const settled: Count[] = [];
  for (const count of counts) settled.push(await runFailuresAgain(count));
  return settled;
}
