import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["{app,server,db,tests}/**/*.test.{ts,tsx}"],
    globalSetup: "tests/support/postgres.setup.ts",
    pool: "forks",
    // Passwords are hashed as slowly in tests as in operation.
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
});
