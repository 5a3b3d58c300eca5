import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { parseArgs } from "node:util";

/**
 * `npm run drill -- money [--runs 10000] [--seed 1]`: a test of the ordinary ones, at a length that only
 * an hour at leisure allows. What fails names its seed, which repeats it.
 */
const drills: Record<string, string> = { money: "tests/money.test.ts" };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { runs: { type: "string", default: "10000" }, seed: { type: "string" } },
});
const [name = "", ...more] = positionals;
const file = Object.hasOwn(drills, name) && more.length === 0 ? drills[name] : undefined;
const isNumber = (text = "0") => /^\d{1,10}$/.test(text);
if (file && isNumber(values.runs) && isNumber(values.seed)) process.exitCode = drill(file);
else {
  console.error(
    `Usage: npm run drill -- <drill> [--runs <number>] [--seed <number>], where the drill is one of: ${Object.keys(drills).join(", ")}.`,
  );
  process.exitCode = 1;
}

function drill(test: string): number {
  const { status } = spawnSync(process.execPath, ["node_modules/vitest/vitest.mjs", "run", test], {
    cwd: resolve(import.meta.dirname, ".."),
    stdio: "inherit",
    env: {
      ...process.env,
      DRILL_RUNS: values.runs,
      ...(values.seed && { DRILL_SEED: values.seed }),
    },
  });
  return status ?? 1;
}
