import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { createStylesPlugin } from "./server/bundle/styles.ts";
import { tier } from "./tests/support/inventory/selection.ts";
import { testFiles } from "./tests/support/product/needs.ts";

const { nothing, postgres, build } = testFiles();
/** Starts PostgreSQL, for the files that use it. */
const globalSetup = "tests/support/product/postgres.setup.ts";

export default defineConfig({
  plugins: [createStylesPlugin()],
  test: {
    pool: "forks",
    ...(tier === "fast" && { testNamePattern: /^(?!.*@slow$)/ }),
    // One more than cores, since many wait: for a deadline, or a server that comes back.
    maxWorkers: availableParallelism() + 1,
    // Ends only tests that hang, since a busy computer takes many times as long.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    teardownTimeout: 600_000,
    expect: { poll: { timeout: 60_000 } },
    // The summary shows messages without their difference, so messages contain complete values.
    chaiConfig: { truncateThreshold: 1000 },
    // Style sheets are empty otherwise, also as text.
    css: { include: [/\.css\?(?:raw|inline)$/] },
    // Node parses the 180 KB of its package.json for each of its modules, two thirds of a second in every file.
    server: { deps: { inline: [/drizzle-orm/] } },
    // Files share a process, which reads the product's modules once: each has a database of its own, if any.
    isolate: false,
    setupFiles: "tests/support/product/each-file.setup.ts",
    projects: [
      { extends: true, test: { name: "alone", include: nothing } },
      { extends: true, test: { name: "database", include: [...postgres, ...build], globalSetup } },
    ],
  },
});
