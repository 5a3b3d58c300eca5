import { fileURLToPath } from "node:url";
import { runnerImport } from "vite";

/**
 * `npm run screens`: pictures of every screen, in `screens/`. Through Vite, since what makes the people and things
 * on them reaches mails, and those are components, which Node does not read.
 */
await runnerImport(fileURLToPath(new URL("take-screens.ts", import.meta.url)));
