import { basename } from "node:path";

/**
 * Returns the class in the page: the name of the module's file, and the local class unless it is the same. Names of files
 * have no underscores, so that two classes are never the same.
 *
 * @param file path of a `.module.css` file
 */
export function getClassName(file: string, local: string): string {
  const base = basename(file, ".module.css");
  return local === base ? base : `${base}_${local}`;
}

/** Leaves texts, and classes of other files, as they are. */
const selectorParts = /"[^"]*"|:global\((?<global>[^()]+)\)|\.(?<local>[a-z][\w-]*)/g;

/** Writes the classes in a module's selector as they are in the page. */
export function formatSelector(selector: string, file: string): string {
  return selector.replaceAll(selectorParts, (part, ...rest) => {
    const { global, local } = rest.at(-1) as { global?: string; local?: string };
    return local ? `.${getClassName(file, local)}` : (global ?? part);
  });
}

/** Lists the local classes for which a module has rules. */
export function listLocalClasses(css: string): Set<string> {
  const preludes = css.replaceAll(/\/\*.*?\*\//gs, "").match(/[^{};]+(?=\{)/g) ?? [];
  const selectors = preludes.filter((prelude) => !prelude.trim().startsWith("@"));
  const parts = selectors.flatMap((selector) => [...selector.matchAll(selectorParts)]);
  return new Set(parts.flatMap(({ groups }) => groups!.local ?? []));
}

/** Returns the name of a class in scripts. */
export function formatExport(local: string): string {
  return local.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}
