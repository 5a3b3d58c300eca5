import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, inject, test } from "vitest";
import { say } from "./figures.ts";
import { startSwift } from "./swift.ts";

const swift = await startSwift();
afterAll(() => swift.end());

/** Tests of the store, of uploads to it, and of three processes that use it. */
const files = [
  "app/files/store.test.ts",
  "app/files/receive/shared-uploads.test.ts",
  "tests/operation/many-processes.test.ts",
];

test("the store's tests, uploads and several processes pass with Swift", async () => {
  const folder = await mkdtemp(join(tmpdir(), "naksha-swift-report-"));
  const report = join(folder, "report.json");
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile=${report}`];
  const tests = ["node_modules/vitest/vitest.mjs", "run", ...reporters, ...files];
  const env = { ...process.env, ...swift.env, TEST_DATABASE_URL: inject("postgresUrl") };
  const [code] = await once(spawn(process.execPath, tests, { stdio: "inherit", env }), "exit");
  const found = JSON.parse(await readFile(report, "utf8")) as Record<string, number>;
  await rm(folder, { recursive: true });
  say("swift", [`${found.numPassedTests} tests passed, ${found.numFailedTests} failed`]);
  expect(code).toBe(0);
});
