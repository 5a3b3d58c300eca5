import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig } from "vite";
import { insistentScripts } from "./server/bundle/insistent-scripts.ts";
import { precompress } from "./server/bundle/precompress.ts";
import { scriptParts } from "./server/bundle/script-parts.ts";

/** What stands around every screen: in one file, since each file more costs a visitor its headers. */
const frame = [
  "platform/",
  "site/(frame|header|footer|theme-switch|error-screen)",
  "ui/(answers|hydrated|brand|meta)",
  "ui/layout/(page|card|badge)",
  "ui/form/(button|send-form)",
  "ui/feedback/(toasts|inside-dialog|spinner|empty-state)",
  "accounts/(rules|sign-in/session-end|sign-in/sign-out-form)",
];
const sharedScripts = [
  {
    name: "libraries",
    test: /node_modules[\\/](react|react-dom|react-router|scheduler)[\\/]|rolldown[\\/:]runtime/,
  },
  { name: "frame", test: new RegExp(`/app/(${frame.join("|")})`.replaceAll("/", "[\\\\/]")) },
];

export default defineConfig({
  plugins: [tailwindcss(), reactRouter(), insistentScripts(), precompress(), scriptParts()],
  environments: {
    // Few files rather than many small ones: over HTTP/1.1 a browser asks for six at a time.
    client: { build: { rollupOptions: { output: { advancedChunks: { groups: sharedScripts } } } } },
    ssr: { build: { rollupOptions: { input: "./server/app.ts" } } },
  },
  // Node parses the 180 KB of its package.json for each of its modules, at every start.
  ssr: { noExternal: ["drizzle-orm"] },
  build: { target: "es2022", reportCompressedSize: false },
});
