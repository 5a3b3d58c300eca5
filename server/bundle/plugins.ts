import { globSync } from "node:fs";
import type { Plugin } from "vite";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { getBuiltProgram } from "../../app/files/child-process.server.ts";

/**
 * Bundles the programs of child processes separately. Each one is started for a single file, and loading
 * hundreds of modules took longer than processing most files.
 */
export function createChildProgramsPlugin(): Plugin {
  return {
    name: "child-programs",
    apply: "build",
    applyToEnvironment: ({ name }) => name === "ssr",
    buildStart() {
      for (const source of globSync("app/**/*-child.server.ts"))
        this.emitFile({ type: "chunk", id: `./${source}`, fileName: getBuiltProgram(source) });
    },
  };
}

const preloadHelper = "\0vite/preload-helper.js";

/**
 * Replaces Vite's preload helper around every `import()` with a plain call. The helper costs 700 bytes on pages with
 * lazy parts, and these parts link their own styles and have few scripts to preload.
 */
export function createPlainImportsPlugin(): Plugin {
  let isDone = false;
  return {
    name: "plain-imports",
    apply: "build",
    applyToEnvironment: ({ name }) => name === "client",
    transform: {
      filter: { id: new RegExp(preloadHelper.replaceAll(/[/.]/g, "\\$&")) },
      handler() {
        isDone = true;
        return "export const __vitePreload = (load) => load();";
      },
    },
    buildEnd(error) {
      if (!error && !isDone) this.error("Vite's preload helper has changed.");
    },
  };
}

const brotli = promisify(brotliCompress);
const deflate = promisify(gzip);

/** Compressing a smaller file saves less than the extra headers cost. */
const minSize = 300;

/** Compresses the browser's files at build time, with the best compression. */
export function createPrecompressPlugin(): Plugin {
  return {
    name: "precompress",
    apply: "build",
    applyToEnvironment: ({ name }) => name === "client",
    writeBundle: {
      sequential: true,
      async handler({ dir }) {
        const files = await readdir(dir ?? "build/client", {
          recursive: true,
          withFileTypes: true,
        });
        const texts = files.filter(
          (file) => file.isFile() && /\.(js|css|svg|json)$/.test(file.name),
        );
        await Promise.all(texts.map((file) => compress(join(file.parentPath, file.name))));
      },
    },
  };
}

async function compress(path: string): Promise<void> {
  const content = await readFile(path);
  if (content.length < minSize) return;
  const options = { params: { [constants.BROTLI_PARAM_SIZE_HINT]: content.length } };
  await Promise.all([
    brotli(content, options).then((compressed) => writeFile(`${path}.br`, compressed)),
    deflate(content, { level: 9 }).then((compressed) => writeFile(`${path}.gz`, compressed)),
  ]);
}

/** The modules of each browser script, with their sizes in bytes before minification. */
export type ScriptParts = Record<string, Record<string, number>>;

/** The data for `npm run bundle-report`, outside of the served files. */
export const partsFile = "build/script-parts.json";

/** Records the modules of each browser script. */
export function createScriptPartsPlugin(): Plugin {
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
