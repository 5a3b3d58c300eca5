import { defineConfig } from "vitest/config";

/** The drills: long tests of the complete product. `npm run drill` runs them one by one. */
export default defineConfig({
  test: {
    root: ".",
    include: ["tests/drills/*.drill.ts"],
    pool: "forks",
    maxWorkers: 1,
    globalSetup: "tests/support/product/postgres.setup.ts",
    setupFiles: "tests/support/product/each-file.setup.ts",
    // Hanging work reports what it waits for. These limits only end work that never returns.
    testTimeout: 2 * 3_600_000,
    hookTimeout: 120_000,
    // Prints the line of figures without a header.
    disableConsoleIntercept: true,
  },
});
