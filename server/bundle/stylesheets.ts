import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import type { RouteConfigEntry } from "@react-router/dev/routes";
import routes from "../../app/routes.ts";

const app = resolve(import.meta.dirname, "../../app");
const root = join(app, "root.tsx");

/**
 * Builds the stylesheet of a component: its own global rules, if it has any, and the modules of all components in it.
 * Leaves out what the stylesheets around it hold, and components with a stylesheet of their own.
 *
 * @param component path of a `.tsx` file, whose `.css?url` is imported
 * @returns the stylesheet, and the files that it depends on
 */
export function buildStylesheet(component: string, graph: Graph): { css: string; files: string[] } {
  const own = component.replace(/tsx$/, "css");
  const { modules, files } = graph.collect(component);
  const around = new Set(graph.listAround(component).flatMap((one) => graph.collect(one).modules));
  const imports = modules
    .filter((file) => !around.has(file))
    .map((file) => `@import ${JSON.stringify(file)} layer(${getLayer(file)});`);
  return { css: [existsSync(own) ? readFileSync(own, "utf8") : "", ...imports].join("\n"), files };
}

/** Returns the layer of a module: screens override the design system and the frame, whichever stylesheet is first. */
function getLayer(file: string): string {
  const isShared = /^(?:ui\/|site\/(?:frame|header|footer)\.)/.test(relative(app, file));
  return isShared ? "components" : "screens";
}

export type Graph = ReturnType<typeof readGraph>;

/** Reads which file imports which, and which components have a stylesheet. */
export function readGraph() {
  const imports = new Map(
    globSync("**/*.{ts,tsx}", { cwd: app })
      .filter((file) => !/\.(server|test)\.tsx?$/.test(file))
      .map((file) => join(app, file))
      .map((file) => [file, listImports(file)]),
  );
  const withStylesheet = new Set([...imports.values()].flat().flatMap(getStylesheetOwner));

  /** Lists the modules of a component, those of its parts first, and the files that name them. */
  function collect(component: string): { modules: string[]; files: string[] } {
    const modules = new Set<string>();
    const files = new Set<string>();
    const visit = (file: string) => {
      if (files.has(file) || !imports.has(file) || (withStylesheet.has(file) && file !== component))
        return;
      files.add(file);
      const named = imports.get(file)!;
      named.forEach(visit);
      // Those of other folders first, since a component may change what it is made of.
      const stylesheets = named.filter((name) => name.endsWith(".module.css"));
      const isOwn = (stylesheet: string) => Number(dirname(stylesheet) === dirname(file));
      for (const stylesheet of stylesheets.toSorted((a, b) => isOwn(a) - isOwn(b)))
        modules.add(stylesheet);
    };
    visit(component);
    listScreens(component).forEach(visit);
    return { modules: [...modules], files: [...files] };
  }

  /** Lists the screens in a layout, without those with a stylesheet of their own. */
  function listScreens(layout: string): string[] {
    const flatten = ({ file, children = [] }: RouteConfigEntry): string[] =>
      withStylesheet.has(join(app, file)) ? [] : [join(app, file), ...children.flatMap(flatten)];
    return listRoutesIn(layout).flatMap(flatten);
  }

  /** Lists the components whose stylesheets are on every page that shows a component. */
  function listAround(component: string): string[] {
    if (component === root) return [];
    const screens = listAllRoutes(routes).map(({ file }) => join(app, file));
    const showing = screens.filter((screen) => listReached(screen).has(component));
    const layouts = screens.filter((screen) => screen !== component && withStylesheet.has(screen));
    const isAround = (layout: string) => {
      const inside = new Set(
        listAllRoutes(listRoutesIn(layout)).map(({ file }) => join(app, file)),
      );
      return showing.length > 0 && showing.every((screen) => inside.has(screen));
    };
    return [root, ...layouts.filter(isAround)];
  }

  function listReached(file: string, reached = new Set<string>()): Set<string> {
    if (reached.has(file)) return reached;
    reached.add(file);
    for (const name of imports.get(file) ?? []) listReached(name, reached);
    return reached;
  }

  return { collect, listAround };
}

/** Lists the files that a script imports, as paths, with the query of those that have one. */
function listImports(file: string): string[] {
  const statements = readFileSync(file, "utf8").matchAll(
    /^(?:import|export)\s(?!type\b)(?:[^;"]*?\sfrom\s)?\s*"(\.[^"]+)";$/gm,
  );
  return [...statements]
    .filter(([statement]) => !/^import \{(?:\s*type [^,}]+,?)+\s*\}/.test(statement))
    .map(([, path]) => resolve(dirname(file), path!));
}

function getStylesheetOwner(name: string): string[] {
  const stylesheet = /^(.*(?<!\.module))\.css\?url$/.exec(name);
  return stylesheet && existsSync(`${stylesheet[1]}.tsx`) ? [`${stylesheet[1]}.tsx`] : [];
}

function listRoutesIn(layout: string): RouteConfigEntry[] {
  if (layout === root) return routes;
  return listAllRoutes(routes).find(({ file }) => join(app, file) === layout)?.children ?? [];
}

function listAllRoutes(some: RouteConfigEntry[]): RouteConfigEntry[] {
  return some.flatMap((route) => [route, ...listAllRoutes(route.children ?? [])]);
}
