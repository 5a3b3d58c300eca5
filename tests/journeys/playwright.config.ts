import { defineConfig } from "@playwright/test";
import { journeysLeftOut } from "../support/inventory/left-out.ts";
import { tier } from "../support/inventory/selection.ts";

export default defineConfig({
  testDir: ".",
  outputDir: "../../test-results",
  fullyParallel: true,
  grepInvert: tier === "fast" ? journeysLeftOut() : [],
  // One more than the two cores that they are made for, since some wait.
  workers: 3,
  // Only ends what hangs: a busy computer takes many times as long.
  timeout: 600_000,
  expect: { timeout: 30_000 },
  forbidOnly: Boolean(process.env.CI),
  reporter: [["list"], ["json"]],
  globalSetup: "./support/postgres.setup.ts",
  use: {
    launchOptions: {
      executablePath: process.env.CHROMIUM,
      args: [
        "--no-sandbox",
        "--disable-gpu",
        // Composing frames takes a tenth less of the processor inside the browser's process.
        "--in-process-gpu",
        // Pages are open for seconds: to optimize their scripts takes longer than it saves.
        "--js-flags=--no-opt --no-maglev",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
    // It would fetch pages past what a test puts in their place; offline.spec.ts lets it in.
    serviceWorkers: "block",
    viewport: { width: 1280, height: 800 },
    // Its snapshots would fetch pictures from within a page, whose policy refuses that.
    trace: { mode: "retain-on-failure", snapshots: false },
  },
});
