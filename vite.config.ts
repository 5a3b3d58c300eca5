import { reactRouter } from "@react-router/dev/vite";
import { defineConfig } from "vite";
import {
  createChildProgramsPlugin,
  createPlainImportsPlugin,
  createPrecompressPlugin,
  createScriptPartsPlugin,
} from "./server/bundle/plugins.ts";
import { scriptGroups } from "./server/bundle/script-groups.ts";
import { createStylesPlugin } from "./server/bundle/styles.ts";
import { createRouterChangesPlugin } from "./app/ui/router/router-changes-plugin.ts";

/** The scripts that screens share. */
const sharedScripts = [
  {
    name: "libraries",
    test: /node_modules[\\/](react|react-dom|react-router|scheduler)[\\/]/,
  },
  ...Object.entries(scriptGroups).map(([name, modules]) => ({
    name,
    test: new RegExp(`/app/(${modules.join("|")})`.replaceAll("/", "[\\\\/]")),
  })),
];

export default defineConfig({
  plugins: [
    createStylesPlugin(),
    reactRouter(),
    createRouterChangesPlugin(),
    createPlainImportsPlugin(),
    createPrecompressPlugin(),
    createScriptPartsPlugin(),
    createChildProgramsPlugin(),
  ],
  environments: {
    // Few files rather than many small ones: over HTTP/1.1 a browser asks for six at a time.
    client: { build: { rollupOptions: { output: { advancedChunks: { groups: sharedScripts } } } } },
    ssr: { build: { rollupOptions: { input: "./server/app.ts" } } },
  },
  // Packages of hundreds of modules: Node reads each of them at every start, also of a child process.
  ssr: { noExternal: ["drizzle-orm", "@cantoo/pdf-lib", "fontkit"] },
  build: {
    // The names of classes become part of the scripts that use them.
    rolldownOptions: { optimization: { inlineConst: { mode: "all", pass: 2 } } },
    target: "es2022",
    reportCompressedSize: false,
    // Nothing is preloaded for an `import()`, see createPlainImportsPlugin.
    modulePreload: { resolveDependencies: () => [] },
  },
});
