import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { buildIfStale } from "../server/bundle/fresh-build.ts";
import { needsBuild } from "./support/product/needs.ts";
import type { Tier } from "./support/inventory/selection.ts";
import { findLeftOut } from "./support/runner/left-out.ts";
import { runPlaywright } from "./support/runner/playwright.ts";
import { type Count, printReport, runFailuresAgain } from "./support/runner/report.ts";
import { root, runNode } from "./support/runner/run-node.ts";
import { runVitest, vitest } from "./support/runner/vitest.ts";

/**
 * `npm test`: unit and integration tests with Vitest, browser journeys with Playwright. Runs only the sample
 * in `support/inventory/selection.ts`.
 *
 * `npm run test:exhaustive`: every case. With `--shard 1/3`, the first third. With `--left-out`, only the cases that
 * `npm test` leaves out, for a run after it. A failed test runs once more on its own; if it then passes, it is
 * printed as unsteady.
 *
 * `npm run test:watch`: runs Vitest's tests again when a file they import changes.
 *
 * All accept parts of paths, as in `npm test -- app/jobs`, and then run every case of those files. They build
 * the product and look for a browser only if a test needs them. `--reports DIR` saves the runners' JSON
 * reports, with the duration of every test. `--shuffle SEED` runs the tests of each file in another order, except
 * journeys.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    watch: { type: "boolean" },
    exhaustive: { type: "boolean", default: false },
    "left-out": { type: "boolean", default: false },
    shard: { type: "string" },
    shuffle: { type: "string" },
    reports: { type: "string" },
  },
});
const isJourney = (filter: string) => /journeys|\.spec\b/.test(filter);
const journeys = positionals.filter(isJourney);
const files = positionals.filter((filter) => !isJourney(filter));
const isUnfiltered = positionals.length === 0;
const tier = chooseTier();
const shard = values.shard ? ["--shard", values.shard] : [];
const order = values.shuffle
  ? ["--sequence.shuffle.tests", `--sequence.seed=${values.shuffle}`]
  : [];

process.exitCode = values.watch ? await watch() : printReport(await runOnce());

function chooseTier(): Tier {
  if (values["left-out"]) return "left-out";
  return values.exhaustive || !isUnfiltered ? "exhaustive" : "fast";
}

async function watch(): Promise<number> {
  if (needsBuild(files)) await buildIfStale({ root, log: console.log, gallery: true });
  // `--standalone` makes Vitest wait for the first edit if there is no filter.
  const standalone = isUnfiltered ? ["--standalone"] : [];
  const { code } = await runNode([vitest, "watch", ...standalone, ...files], {
    TEST_TIER: "exhaustive",
  });
  return code;
}

async function runOnce(): Promise<Count[]> {
  const reports = await makeReportFolder();
  try {
    const withJourneys = isUnfiltered || journeys.length > 0;
    const withFiles = isUnfiltered || files.length > 0;
    const [chromium] = await Promise.all([
      withJourneys ? findBrowser() : "",
      withJourneys || needsBuild(files)
        ? buildIfStale({ root, log: console.log, gallery: true })
        : "not needed",
    ]);
    const counts: Count[] = [];
    if (withFiles) {
      const args = [...files, ...leftOutFiles(), ...shard, ...order];
      counts.push(await runVitest(reports, args, { TEST_TIER: tier }));
    }
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

/** Vitest runs these files whole: choosing tests by title too would save half a minute. */
function leftOutFiles(): string[] {
  if (tier !== "left-out" || !isUnfiltered) return [];
  const { sampled, slow } = findLeftOut(".test");
  return [...sampled, ...slow];
}

async function makeReportFolder(): Promise<string> {
  if (!values.reports) return mkdtemp(join(tmpdir(), "naksha-reports-"));
  const folder = resolve(values.reports);
  await mkdir(folder, { recursive: true });
  return folder;
}

/** Imported on demand: loading Playwright takes as long as running a file of unit tests. */
async function findBrowser(): Promise<string> {
  const { findChromium } = await import("./support/product/chromium.ts");
  return findChromium();
}

/** The runners run in turn because they would slow each other down. */
async function runAllFailuresAgain(counts: Count[]): Promise<Count[]> {
  const settled: Count[] = [];
  for (const count of counts) settled.push(await runFailuresAgain(count));
  return settled;
}
