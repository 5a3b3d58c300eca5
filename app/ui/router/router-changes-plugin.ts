import type { Plugin } from "vite";

/** A text in the router's code and its replacement. */
type Change = [text: string, by: string];

/**
 * When a screen's script cannot be loaded, the router reloads the page. That loses typed text and, without a
 * connection, the page itself, and the router has no setting for it. So the script is fetched first, which
 * failed-reads.ts retries until it succeeds.
 */
const scriptRetry: Change = [
  "let routeModule = await import(",
  `await Promise.all([route.module, ...(route.imports ?? [])].map((file) => fetch(file)));
let routeModule = await import(`,
];

const isLookingUp = "(lookup && !lookup.aborted)";

/**
 * If a form is answered during a navigation and another navigation follows, the router removed the data of the screen
 * that is still shown, which made it fail. Cured in version 8.5.3 too.
 */
const shownData: Change = [
  "mergeLoaderData(state.loaderData, loaderData, matches, errors)",
  "mergeLoaderData(state.loaderData, loaderData, state.matches, errors)",
];

/**
 * If a form is sent during a navigation, the data that it reloads completes the navigation. While the router still
 * looks up the routes of the next screen, it did so for every form: the address changed, but the old screen stayed.
 * Version 8.5.3 of the router has the same cure, see docs/decisions/answers.md.
 */
const routeLookup: Change[] = [
  ["let pendingNavigationLoadId = -1;", "let pendingNavigationLoadId = -1, lookup = null;"],
  [
    "let discoverResult = await discoverRoutes(matches, location.pathname, request.signal);",
    `lookup = request.signal;
let discoverResult = await discoverRoutes(matches, location.pathname, request.signal);
if (lookup === request.signal) lookup = null;`,
  ],
  [
    "let nextLocation = state.navigation.location || state.location;",
    `let target = ${isLookingUp} ? void 0 : state.navigation.location;
let nextLocation = target || state.location;`,
  ],
  [
    'let matches = state.navigation.state !== "idle" ? dataRouteMatcher.match(state.navigation.location) : state.matches;',
    "let matches = target ? dataRouteMatcher.match(target) : state.matches;",
  ],
  [
    'if (state.navigation.state === "loading" && loadId > pendingNavigationLoadId) {',
    `if (state.navigation.state === "loading" && loadId > pendingNavigationLoadId && !${isLookingUp}) {`,
  ],
];

const changes = [scriptRetry, shownData, ...routeLookup];

/**
 * Changes the router at build time where it has no setting. Relies on the text of its files `routeModules.js` and
 * `router.js`; the build fails if a changed place isn't there.
 */
export function createRouterChangesPlugin(): Plugin {
  const missing = new Set(changes.map(([text]) => text));
  return {
    name: "router-changes",
    apply: "build",
    applyToEnvironment: ({ name }) => name === "client",
    transform: {
      filter: { id: /react-router[\\/]dist[\\/].*[\\/](routeModules|router)\.js$/ },
      handler(code) {
        let changed = code;
        for (const [text, by] of changes) {
          if (changed.includes(text)) missing.delete(text);
          changed = changed.replaceAll(text, by);
        }
        return changed;
      },
    },
    buildEnd(error) {
      if (!error && missing.size > 0)
        this.error(`The router has changed. Missing there: ${[...missing].join("\n")}`);
    },
  };
}
