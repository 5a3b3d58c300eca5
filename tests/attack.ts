import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { buildIfStale } from "../server/bundle/fresh-build.ts";

/**
 * `npm run attack [-- --requests 100000 --seed 1]`: the tests in `tests/attack`, at a length that only an
 * hour at leisure allows, with their figures. What fails names the request that did it; the same seed
 * makes the same requests.
 */
const usage = `Usage: npm run attack -- [--requests <number>] [--seed <number>]

Starts the built product on a database of its own and attacks it:
  malformed   generated requests, spoilt in any part, and requests that two servers read differently
  slow        senders who are slow or never end, and a thousand connections that say nothing
  poisoning   odd requests, and what the next visitor gets after them
  headers     what every answer, of whatever status, tells browsers about security

  --requests  how many malformed requests; 100000 unless given
  --seed      which ones; 1 unless given`;

const root = resolve(import.meta.dirname, "..");
const isNumber = (text: string) => /^\d{1,9}$/.test(text);
const { values } = parseArgs({
  options: {
    requests: { type: "string", default: "100000" },
    seed: { type: "string", default: "1" },
    help: { type: "boolean", default: false },
  },
});
if (values.help) console.log(usage);
else if (!isNumber(values.requests) || !isNumber(values.seed)) {
  console.error(usage);
  process.exitCode = 1;
} else process.exitCode = await attack();

async function attack(): Promise<number> {
  await buildIfStale({ root, log: console.log });
  const vitest = ["node_modules/vitest/vitest.mjs", "run", "tests/attack/"];
  // One file after the other: each measures how long others wait. What they print are the figures.
  const plainly = ["--no-file-parallelism", "--disable-console-intercept", "--reporter=verbose"];
  const { status } = spawnSync(process.execPath, [...vitest, ...plainly], {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, ATTACK_REQUESTS: values.requests, ATTACK_SEED: values.seed },
  });
  return status ?? 1;
}
