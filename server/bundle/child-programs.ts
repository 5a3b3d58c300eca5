import { globSync } from "node:fs";
import type { Plugin } from "vite";
import { builtProgram } from "../../app/files/child-process.server.ts";

/**
 * Bundles what child processes run, beside the server's own bundle: each of them is started for one file, and
 * reading hundreds of modules took longer than most files do.
 */
export function childPrograms(): Plugin {
  return {
    name: "child-programs",
    apply: "build",
    applyToEnvironment: ({ name }) => name === "ssr",
    buildStart() {
      for (const source of globSync("app/**/*-child.server.ts"))
        this.emitFile({ type: "chunk", id: `./${source}`, fileName: builtProgram(source) });
    },
  };
}
