import { reactRouter } from "@react-router/dev/vite";
import { defineConfig } from "vite";
import {
  createChildProgramsPlugin,
  createPlainImportsPlugin,
  createPrecompressPlugin,
  createScriptPartsPlugin,
} from "./server/bundle/plugins.ts";
import { createStylesPlugin } from "./server/bundle/styles.ts";
import { createScriptRetryPlugin } from "./app/ui/router/script-retry-plugin.ts";

/** What stands around every screen: in one file, since each file more costs a visitor its headers. */
const frame = [
  // Few screens clean or cut texts, or sort a list.
  "platform/(?!text/|lists/sorts)",
  "site/(frame|header|theme-switch|error-screen)",
  "ui/(hydrated|brand|link|meta|navigations|expected-user|turns|unanswered|router)",
  "ui/layout/(page|card|badge)",
  "ui/form/button",
  "ui/feedback/(send-form|toasts|spinner|empty-state)",
  "accounts/sign-in/(leaving-cookie|session-end)",
];
const sharedScripts = [
  {
    name: "libraries",
    test: /node_modules[\\/](react|react-dom|react-router|scheduler)[\\/]/,
  },
  { name: "frame", test: within(frame) },
  // Titles, descriptions and prices, which most public pages name, and what home and services both show.
  {
    name: "pages",
    test: within([
      "(site|review-customer/buy)/pages",
      "reviews/rules",
      "review-customer/buy/(example-way|voices)",
      "payments/money",
    ]),
  },
  // What forms begin with, and what only logging in and signing up have alike, which would be two files more.
  {
    name: "fields",
    test: within(["ui/form/field", "accounts/pages", "accounts/sign-up/resend.screen"]),
  },
  // The demo's gallery shows the button too, and would split it off into a file more.
  { name: "contact-text", test: within(["ui/form/copy-button", "jobs/listing/contact-text"]) },
];

function within(modules: string[]): RegExp {
  return new RegExp(`/app/(${modules.join("|")})`.replaceAll("/", "[\\\\/]"));
}

export default defineConfig({
  plugins: [
    createStylesPlugin(),
    reactRouter(),
    createScriptRetryPlugin(),
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
