import { afterAll, afterEach, vi } from "vitest";
import { endFile } from "./when-file-ends.ts";

// Vitest runs this for each file, even if files share a process and its modules.
afterEach(() => void vi.useRealTimers());
afterAll(endFile);
