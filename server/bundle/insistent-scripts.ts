import type { Plugin } from "vite";

const loadsScreens = /react-router[\\/]dist[\\/].*[\\/]routeModules\.js$/;
const loading = "let routeModule = await import(";

/**
 * Where the script of a screen cannot be loaded the router reloads the page, which takes what was typed
 * and, without a connection, the page itself; it has no setting for that. So the script is fetched
 * first, which app/ui/answers.ts tries again until it succeeds.
 */
export function insistentScripts(): Plugin {
  let isDone = false;
  return {
    name: "insistent-scripts",
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
      if (!error && !isDone) this.error("The router loads its screens in another way than before.");
    },
  };
}
