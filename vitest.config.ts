import { defineConfig } from "vitest/config";
import { testFiles } from "./tests/support/needs.ts";

const { nothing, postgres, build } = testFiles();
/** Starts PostgreSQL, for the files that use it. */
const globalSetup = "tests/support/postgres.setup.ts";

export default defineConfig({
  test: {
    pool: "forks",
    // By default one core is left free, of two as well.
    maxWorkers: "100%",
    // Passwords are hashed as slowly in tests as in operation.
    testTimeout: 20_000,
    hookTimeout: 60_000,
    projects: [
      { extends: true, test: { name: "alone", include: nothing } },
      { extends: true, test: { name: "database", include: [...postgres, ...build], globalSetup } },
    ],
  },
});
