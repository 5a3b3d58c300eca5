import { configureGlobal } from "fast-check";
import { afterAll, afterEach, vi } from "vitest";
import { endFile } from "./when-file-ends.ts";

// Vitest runs this for each file, even if files share a process and its modules.
// The same random values each time. `TEST_SEED=2 npm test -- app/jobs` tries others.
configureGlobal({ seed: Number(process.env.TEST_SEED ?? 1) });
afterEach(() => void vi.useRealTimers());
afterAll(endFile);
