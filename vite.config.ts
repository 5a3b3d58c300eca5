import { reactRouter } from "@react-router/dev/vite";
import babel from "@rolldown/plugin-babel";
import tailwindcss from "@tailwindcss/vite";
import { reactCompilerPreset } from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { precompress } from "./server/precompress.ts";

export default defineConfig({
  plugins: [
    tailwindcss(),
    reactRouter(),
    babel({ presets: [reactCompilerPreset()] }),
    precompress(),
  ],
  environments: {
    ssr: { build: { rollupOptions: { input: "./server/app.ts" } } },
  },
  build: { target: "es2022", reportCompressedSize: false },
});
