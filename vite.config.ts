import { reactRouter } from "@react-router/dev/vite";
import babel from "@rolldown/plugin-babel";
import tailwindcss from "@tailwindcss/vite";
import { reactCompilerPreset } from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { insistentScripts } from "./server/insistent-scripts.ts";
import { precompress } from "./server/precompress.ts";
import { scriptParts } from "./server/script-parts.ts";

/** What every page needs in one file each: the libraries, and the frame with its components. */
const sharedScripts = [
  { name: "libraries", test: /node_modules[\\/](react|react-dom|react-router|scheduler)[\\/]/ },
  { name: "frame", test: /[\\/]app[\\/](ui|site|platform)[\\/]/, minShareCount: 8 },
];

export default defineConfig({
  plugins: [
    tailwindcss(),
    reactRouter(),
    babel({ presets: [reactCompilerPreset()] }),
    insistentScripts(),
    precompress(),
    scriptParts(),
  ],
  environments: {
    // Few files rather than many small ones: over HTTP/1.1 a browser asks for six at a time.
    client: { build: { rollupOptions: { output: { advancedChunks: { groups: sharedScripts } } } } },
    ssr: { build: { rollupOptions: { input: "./server/app.ts" } } },
  },
  build: { target: "es2022", reportCompressedSize: false },
});
