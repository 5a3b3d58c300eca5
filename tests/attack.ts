import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { buildIfStale } from "../server/bundle/fresh-build.ts";

/**
 * `npm run attack [-- --requests 100000 --seed 1]` runs the tests in `tests/attack` for about an hour and prints
 * their figures. A failure names the request that caused it. The same seed makes the same requests.
 */
const usage = `Usage: npm run attack -- [--requests <number>] [--seed <number>]

Starts the built product on its own database and attacks it:
  malformed   random malformed requests, and requests that two servers read differently
  slow        slow or endless senders, and a thousand idle connections
  poisoning   odd requests, and the pages that the next visitor gets
  headers     security headers of every answer

  --requests  number of malformed requests (default: 100000)
  --seed      seed of the random requests (default: 1)`;

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
  // Files run in turn because each measures response times. Their console output is the figures.
  const plainly = ["--no-file-parallelism", "--disable-console-intercept", "--reporter=verbose"];
  const { status } = spawnSync(process.execPath, [...vitest, ...plainly], {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, ATTACK_REQUESTS: values.requests, ATTACK_SEED: values.seed },
  });
  return status ?? 1;
}
