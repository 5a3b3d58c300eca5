import { fileURLToPath } from "node:url";
import { runnerImport } from "vite";
import type * as Missing from "./support/inventory/missing.ts";

/**
 * `npm run missing` prints what screens, forms and commands lack in the tests' inventory, and exits with 1 if
 * anything is missing. `tests/missing.test.ts` expects the same. Vite reads the inventory because it imports emails,
 * which are components that Node cannot read.
 */
const file = fileURLToPath(new URL("support/inventory/missing.ts", import.meta.url));
const { module } = await runnerImport<typeof Missing>(file);
const missing = module.listMissing();
console.log(missing.length > 0 ? missing.join("\n") : "Nothing is missing.");
process.exit(missing.length > 0 ? 1 : 0);
