import type { Plugin } from "vite";

const loadsScreens = /react-router[\\/]dist[\\/].*[\\/]routeModules\.js$/;
const loading = "let routeModule = await import(";

/**
 * Relies on the router's file `routeModules.js` and the text of its import; the build fails if either has changed.
 *
 * When a screen's script cannot be loaded, the router reloads the page. That loses typed text and, without a
 * connection, the page itself, and the router has no setting for it. So the script is fetched first, which
 * failed-reads.ts retries until it succeeds.
 */
export function createScriptRetryPlugin(): Plugin {
  let isDone = false;
  return {
    name: "script-retry",
    apply: "build",
    applyToEnvironment: ({ name }) => name === "client",
    transform: {
      filter: { id: loadsScreens },
      handler(code) {
        isDone = code.includes(loading);
        const files = "[route.module, ...(route.imports ?? [])]";
        return code.replace(
          loading,
          `await Promise.all(${files}.map((file) => fetch(file)));\n${loading}`,
        );
      },
    },
    buildEnd(error) {
      if (!error && !isDone) this.error("The router's code for loading screens has changed.");
    },
  };
}
