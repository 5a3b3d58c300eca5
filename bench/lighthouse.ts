import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { parseArgs } from "node:util";
import { chromium } from "@playwright/test";
import { eq } from "drizzle-orm";
import lighthouse, { type Result } from "lighthouse";
import { jobs } from "../app/jobs/tables.server.ts";
import { type RunningProduct, startProduct } from "../tests/journeys/support/product.ts";
import { findChromium } from "../tests/support/product/chromium.ts";
import { ownPostgres } from "../tests/support/product/own-postgres.ts";
import { systemFonts } from "./system-fonts.ts";
import {
  failures,
  line,
  type Load,
  median,
  type Reading,
  readings,
  title,
} from "./lighthouse-limits.ts";

/**
 * `npm run lighthouse` measures the pages that visitors see first. It builds and starts the product with the demo
 * data and its own port, and loads each page several times like a phone on a slow network, in Lighthouse's own
 * simulation. It prints the medians and the failed audits, and fails above the limits in `lighthouse-limits.ts`.
 *
 *   --runs 5             how often each page is loaded
 *   --pages home,board   which of home, board, job, services, login
 *   --fonts bare         a system without the fallback fonts and without a Hindi font;
 *                        the default has both, like phones
 *
 * A busy machine makes every page look slow, so run it alone.
 */
const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "5" },
    pages: { type: "string" },
    fonts: { type: "string", default: "phone" },
  },
});
const runs = Number(values.runs);
/** Lighthouse's error code if Chromium's trace lacks the start of the page. */
const noTrace = "NO_NAVSTART";
const pageNames = values.pages?.split(",");

const executablePath = await findChromium();
const fonts = await systemFonts(values.fonts === "bare" ? "bare" : "phone");
const postgres = await ownPostgres({ durable: false });
const product = await startProduct();
try {
  const all = await pages(product);
  const selected = all.filter(([name]) => !pageNames || pageNames.includes(name));
  if (selected.length === 0)
    throw new Error(`Unknown page. Pages: ${all.map(([name]) => name).join(", ")}.`);
  console.log(title);
  for (const [name, path] of selected) await measurePage(name, product.origin + path);
} finally {
  await product.stop();
  await postgres.end();
  await fonts.remove();
}

async function pages({ db }: RunningProduct): Promise<[name: string, path: string][]> {
  const [job] = await db
    .select({ id: jobs.id })
    .from(jobs)
    .where(eq(jobs.isArchived, false))
    .orderBy(jobs.id)
    .limit(1);
  return [
    ["home", "/"],
    ["board", "/jobs"],
    ["job", `/jobs/${job!.id}`],
    ["services", "/services"],
    ["login", "/login"],
  ];
}

async function measurePage(name: string, address: string): Promise<void> {
  const loads: Load[] = [];
  for (let run = 0; run < runs; run += 1) loads.push(await load(address));
  const medians = Object.fromEntries(
    Object.entries(readings).map(([reading, { read }]) => [reading, median(loads.map(read))]),
  ) as Record<Reading, number>;
  console.log(line(name, medians));
  const failed = failures(name, medians);
  for (const failure of failed) console.log(`  ${failure}`);
  for (const audit of listLowScores(loads.at(-1)!.lhr)) console.log(`  - ${audit}`);
  if (failed.length > 0) process.exitCode = 1;
}

/** Loads the page again, once, if the trace is missing. */
async function load(address: string): Promise<Load> {
  const first = await loadOnce(address);
  if (!problemOf(first.lhr).includes(noTrace)) return requireResult(address, first);
  console.log(`  ${address}: no trace from Chromium (${noTrace}), loading again`);
  return requireResult(address, await loadOnce(address));
}

function requireResult(address: string, loaded: Load): Load {
  const problem = problemOf(loaded.lhr);
  if (problem) throw new Error(`${address}: ${problem}`);
  return loaded;
}

/** Returns the problem that kept Lighthouse from measuring; "" without one. */
function problemOf({ runtimeError, audits }: Result): string {
  return runtimeError?.message ?? audits["largest-contentful-paint"]?.errorMessage ?? "";
}

/** Loads the page in a new browser, like a first visit. */
async function loadOnce(address: string): Promise<Load> {
  const port = await freePort();
  const browser = await chromium.launch({
    executablePath,
    env: { ...process.env, FONTCONFIG_FILE: fonts.file },
    args: ["--no-sandbox", "--disable-gpu", `--remote-debugging-port=${port}`],
  });
  try {
    const result = await lighthouse(address, { port, logLevel: "error" });
    if (!result) throw new Error(`${address}: no result`);
    return result;
  } finally {
    await browser.close();
  }
}

/** Lists the audits with a low score, in Lighthouse's words. */
function listLowScores({ categories, audits }: Result): string[] {
  return Object.values(categories)
    .flatMap(({ auditRefs }) => auditRefs)
    .map(({ id }) => audits[id])
    .filter((audit) => audit && audit.score !== null && audit.score < 0.9)
    .map((audit) => [audit!.id, audit!.title, audit!.displayValue].filter(Boolean).join(": "));
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((ready) => probe.listen(0, "127.0.0.1", ready));
  const { port } = probe.address() as AddressInfo;
  await new Promise((closed) => probe.close(closed));
  return port;
}
