import { parseArgs } from "node:util";
import { second } from "../app/platform/clock.ts";
import { readConfig } from "../app/platform/config.server.ts";
import { openDatabase } from "../app/platform/database.server.ts";
import { openLeases } from "../app/platform/leases.server.ts";
import { importJobs } from "../app/posting/import/import-jobs.server.ts";
import { prepareDatabase } from "../db/prepare-database.ts";
import { ownPostgres } from "../tests/support/product/own-postgres.ts";

/**
 * `npm run bench -- imports` measures how long an import takes: of new jobs, and of the same file again.
 *
 *   --jobs 10000   the jobs in the file
 */
const { values } = parseArgs({ options: { jobs: { type: "string", default: "10000" } } });
/** The limit in seconds. */
const limit = 60;

const paragraph = "<p>You design for people who read little, and test with them each week.</p>";
const jobs = Array.from({ length: Number(values.jobs) }, (_, number) => ({
  id: `job-${number}`,
  text: `Product Designer ${number}`,
  hostedUrl: `https://jobs.lever.co/bench/job-${number}`,
  categories: { location: "Pune", commitment: "Full-time" },
  workplaceType: "hybrid",
  description: paragraph.repeat(30),
  lists: [{ text: "You bring", content: "<li>Patience</li>".repeat(10) }],
  salaryRange: { min: 1_200_000, max: 1_800_000, currency: "INR", interval: "per-year-salary" },
}));

const postgres = await ownPostgres({ durable: true });
try {
  const url = process.env.TEST_DATABASE_URL!;
  await prepareDatabase(url);
  const database = openDatabase(url, { max: 5 });
  const { db } = database;
  const config = readConfig({});
  const parts = {
    db,
    leases: openLeases(db),
    settings: { ...config.checks, secrets: config.secrets, rateLimits: config.rateLimits },
    logProgress: () => {},
  };
  const options = {
    provider: "lever",
    slug: "bench",
    newCompany: { name: "Bench", website: "https://bench.example" },
    dryRun: false,
    closeMissing: true,
  } as const;
  const text = JSON.stringify(jobs, null, 1);
  for (const run of ["new jobs", "the same file again"]) {
    const startedAt = performance.now();
    const { counts } = await importJobs(parts, text, options);
    const seconds = (performance.now() - startedAt) / second;
    console.log(`${run}: ${seconds.toFixed(1)} s, limit ${limit} s`, JSON.stringify(counts));
    if (seconds > limit) process.exitCode = 1;
  }
  await database.close();
} finally {
  await postgres.end();
}
