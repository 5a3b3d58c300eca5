import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { CSSOptions, Plugin } from "vite";
import {
  formatExport,
  formatSelector,
  getClassName,
  listLocalClasses,
} from "../../app/ui/class-names.ts";
import { buildStylesheet, type Graph, readGraph } from "./stylesheets.ts";

const root = resolve(import.meta.dirname, "../..");
const names = { prefix: "\0names:", suffix: ".names" };

/**
 * Keeps the classes of `x.module.css` local: a component imports their names, and the name in the page starts with that of
 * the file. `x.css?url` beside `x.tsx` is a stylesheet with the modules of that component and of all components in it, so
 * that none is missing and none is listed by hand.
 */
export function createStylesPlugin(): Plugin {
  let graph: Graph | null = null;
  const forget = () => void (graph = null);
  return {
    name: "styles",
    enforce: "pre",
    buildStart: forget,
    hotUpdate: forget,
    config: () => ({ css: { postcss: { plugins: [localNames] } } }),
    resolveId(source, importer) {
      if (!/\.css(\?|$)/.test(source)) return null;
      const [path = "", query] = source.split("?");
      const file = getFile(path, importer);
      // Otherwise Vite would take the script with the names for styles.
      if (isModule(file)) return query ? null : `${names.prefix}${file}${names.suffix}`;
      return isStylesheet(file) ? [file, query].filter(Boolean).join("?") : null;
    },
    load(id) {
      if (id.startsWith(names.prefix)) {
        const file = id.slice(names.prefix.length, -names.suffix.length);
        this.addWatchFile(file);
        return buildNameScript(file);
      }
      const [file = "", query] = id.split("?");
      if (!file.endsWith(".css") || query === "url" || !isStylesheet(file)) return null;
      const { css, files } = buildStylesheet(file.replace(/css$/, "tsx"), (graph ??= readGraph()));
      for (const source of files) this.addWatchFile(source);
      return css;
    },
  };
}

function isModule(file: string): boolean {
  return file.endsWith(".module.css");
}

function isStylesheet(file: string): boolean {
  return !isModule(file) && existsSync(file.replace(/css$/, "tsx"));
}

/** Returns the file that a script imports or a browser asks the development server for. */
function getFile(path: string, importer = ""): string {
  if (path.startsWith(root)) return path;
  return path.startsWith("/") ? join(root, path) : resolve(dirname(importer), path);
}

/** Returns a script with the classes of a module as constants. The build writes their values where they are used. */
function buildNameScript(file: string): string {
  const locals = [...listLocalClasses(readFileSync(file, "utf8"))];
  const constants = locals.map(
    (local, index) => `const c${index} = ${JSON.stringify(getClassName(file, local))};`,
  );
  const exported = locals.map((local, index) => `c${index} as ${formatExport(local)}`);
  return `${constants.join("\n")}\nexport { ${exported.join(", ")} };`;
}

/** Renames the classes and animations of modules. */
const localNames: PostcssPlugin = {
  postcssPlugin: "local-names",
  Once(stylesheet) {
    const animations = new Set<string>();
    stylesheet.walkAtRules("keyframes", (rule) => {
      const file = rule.source?.input.file ?? "";
      if (!isModule(file)) return;
      rule.params = getClassName(file, rule.params);
      animations.add(rule.params);
    });
    stylesheet.walkDecls(/^animation/, (declaration) => {
      const file = declaration.source?.input.file ?? "";
      declaration.value = declaration.value.replaceAll(/[a-z][\w-]*/g, (word) => {
        const name = getClassName(file, word);
        return animations.has(name) ? name : word;
      });
    });
    stylesheet.walkRules((rule) => {
      const file = rule.source?.input.file ?? "";
      if (isModule(file)) rule.selector = formatSelector(rule.selector, file);
    });
  },
};

type PostcssPlugin = Extract<
  NonNullable<Exclude<CSSOptions["postcss"], string | undefined>["plugins"]>[number],
  { postcssPlugin: string }
>;
