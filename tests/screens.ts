import { fileURLToPath } from "node:url";
import { runnerImport } from "vite";

/**
 * `npm run screens` saves screenshots of every screen to `screens/`. Vite runs it because its test data imports
 * emails, which are components that Node cannot read.
 */
await runnerImport(fileURLToPath(new URL("take-screens.ts", import.meta.url)));
