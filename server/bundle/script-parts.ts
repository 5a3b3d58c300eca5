import { writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import type { Plugin } from "vite";

/** Of each script of the browser: the modules in it and their sizes in bytes, before minification. */
export type ScriptParts = Record<string, Record<string, number>>;

/** Where the build notes them, for `npm run bundle-report`; not among the files that are served. */
export const partsFile = "build/script-parts.json";

/** Notes of what each script was made. */
export function scriptParts(): Plugin {
  return {
    name: "script-parts",
    apply: "build",
    applyToEnvironment: ({ name }) => name === "client",
    async writeBundle(_options, bundle) {
      const root = this.environment.config.root;
      const parts: ScriptParts = {};
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== "chunk") continue;
        const modules = Object.entries(chunk.modules);
        parts[chunk.fileName] = Object.fromEntries(
          modules.map(([id, { renderedLength }]) => [relative(root, id), renderedLength]),
        );
      }
      await writeFile(join(root, partsFile), JSON.stringify(parts));
    },
  };
}
