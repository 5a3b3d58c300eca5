import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { buildIfStale } from "../server/bundle/fresh-build.ts";

/**
 * `npm run drill -- <drill>` runs the product as separate processes on a new database while something keeps failing.
 * It prints a line of figures, and exits with 1 if anything was lost, was done twice or needs manual work.
 * `--seed` repeats the random choices.
 */
const root = resolve(import.meta.dirname, "..");

/** The subject of each drill, and its number of random runs. */
const drills: Record<string, { about: string; runs?: number }> = {
  money: { about: "random payment histories; no payment may be lost or invented", runs: 10_000 },
  invoices: {
    about: "two processes number invoices, with cut connections and 50 kills; no gap is left",
    runs: 10_000,
  },
  crashes: { about: "processes killed at each SQL statement, then at random", runs: 100 },
  database: { about: "PostgreSQL killed at each COMMIT, restarted, away, cutting connections" },
  disk: { about: "full disks: uploads, spool, embedded database, backup (needs root on Linux)" },
  clock: { about: "the product's clock differs from the database's (needs libfaketime)" },
  pooler: { about: "PgBouncer in front of PostgreSQL (needs pgbouncer)" },
  annotated: { about: "annotated PDFs read by other programs (needs qpdf, poppler-utils)" },
  pages: { about: "slow and hostile files become pages or an error message" },
  words: { about: "text of every kind of page compared with poppler's (needs poppler-utils)" },
  swift: {
    about: "files in OpenStack Swift over its S3 API (needs swift-proxy and its three servers)",
  },
};

const usage = `npm run drill -- <drill> [--runs <number>] [--seed <number>]

${Object.entries(drills)
  .map(([name, { about, runs }]) => `  ${name.padEnd(9)} ${about}${runs ? `; --runs ${runs}` : ""}`)
  .join("\n")}
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { runs: { type: "string" }, seed: { type: "string" }, help: { type: "boolean" } },
});
const [name = "", ...more] = positionals;
const isNumber = (text = "0") => /^\d{1,10}$/.test(text);
const isUnderstood =
  Object.hasOwn(drills, name) &&
  more.length === 0 &&
  isNumber(values.runs) &&
  isNumber(values.seed);
if (values.help) console.log(usage);
else if (isUnderstood) process.exitCode = await run(name);
else {
  console.error(usage);
  process.exitCode = 1;
}

/** `money` is a normal test with far more runs. `invoices` is one too, and then kills processes. */
async function run(drill: string): Promise<number> {
  const test = [`tests/${drill}.test.ts`];
  const killing = ["--config", "tests/drills/vitest.config.ts", `tests/drills/${drill}.drill.ts`];
  if (drill === "money") return runVitest(drill, test);
  await buildIfStale({ root, log: console.log });
  const failed = drill === "invoices" ? runVitest(drill, test) : 0;
  return failed || runVitest(drill, killing);
}

function runVitest(drill: string, file: string[]): number {
  const runs = values.runs ?? drills[drill]!.runs;
  const { status } = spawnSync(
    process.execPath,
    ["node_modules/vitest/vitest.mjs", "run", ...file],
    {
      cwd: root,
      stdio: "inherit",
      env: {
        ...process.env,
        ...(runs !== undefined && { DRILL_RUNS: String(runs) }),
        ...(values.seed && { DRILL_SEED: values.seed }),
      },
    },
  );
  return status ?? 1;
}
