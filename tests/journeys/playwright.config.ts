import { join } from "node:path";
import { defineConfig } from "@playwright/test";
import { slowTitle, tier } from "../support/inventory/selection.ts";
import { findLeftOut } from "../support/runner/left-out.ts";
import { root } from "../support/runner/run-node.ts";

const { sampled, slow } = findLeftOut(".spec");
const absolute = (files: string[]) => files.map((file) => join(root, file));
const leftOut = [
  { name: "samples", testMatch: absolute(sampled) },
  { name: "slow", testMatch: absolute(slow), grep: slowTitle },
];

export default defineConfig({
  testDir: ".",
  outputDir: "../../test-results",
  fullyParallel: true,
  grepInvert: tier === "fast" ? slowTitle : [],
  ...(tier === "left-out" && { projects: leftOut }),
  // Twice the usual two cores, since a worker waits for a third of its time.
  workers: 4,
  // Only ends tests that hang: a busy computer takes many times as long.
  timeout: 600_000,
  expect: { timeout: 30_000 },
  forbidOnly: Boolean(process.env.CI),
  reporter: [["list"], ["json"]],
  globalSetup: "./support/postgres.setup.ts",
  use: {
    // A missing element fails its test before the timeout of the whole test.
    actionTimeout: 60_000,
    launchOptions: {
      executablePath: process.env.CHROMIUM,
      args: [
        "--no-sandbox",
        "--disable-gpu",
        // Saves a tenth of the processor time for drawing frames.
        "--in-process-gpu",
        // Pages are open for seconds, so optimizing their scripts takes longer than it saves.
        "--js-flags=--no-opt --no-maglev",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
    // A service worker would bypass intercepted requests. offline.spec.ts allows it.
    serviceWorkers: "block",
    viewport: { width: 1280, height: 800 },
    // Snapshots load images from within a page, which its content security policy blocks.
    trace: { mode: "retain-on-failure", snapshots: false },
  },
});
