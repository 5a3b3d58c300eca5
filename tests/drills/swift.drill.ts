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

/** Runs the store's requirements, uploads through it, and three processes of the product over it. */
const files = [
  "app/files/store.test.ts",
  "app/files/receive/shared-uploads.test.ts",
  "tests/operation/many-processes.test.ts",
];

test("what holds for a store holds for Swift, and so do uploads and the whole product", async () => {
  const folder = await mkdtemp(join(tmpdir(), "naksha-swift-report-"));
  const report = join(folder, "report.json");
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile=${report}`];
  const tests = ["node_modules/vitest/vitest.mjs", "run", ...reporters, ...files];
  const env = { ...process.env, ...swift.env, TEST_DATABASE_URL: inject("postgresUrl") };
  const [code] = await once(spawn(process.execPath, tests, { stdio: "inherit", env }), "exit");
  const found = JSON.parse(await readFile(report, "utf8")) as Record<string, number>;
  await rm(folder, { recursive: true });
  say("swift", [`${found.numPassedTests} tests over it passed, ${found.numFailedTests} failed`]);
  expect(code).toBe(0);
});
