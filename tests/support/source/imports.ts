import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { parseSync } from "vite";

/** An import of one file by another. `typesOnly` imports are erased at compile time. */
export type Import = { from: string; to: string; typesOnly: boolean };

/** The product's code and stylesheets, without tests, as paths from the root. */
export const sources = globSync("{app,db,server}/**/*.{ts,tsx,css}").filter(
  (file) => !/\.(test|d)\.tsx?$/.test(file),
);

/**
 * Lists the files that a file imports by a relative path, including type imports, dynamic imports and
 * `new URL(…)`.
 *
 * @param file path of a script or stylesheet, from the root
 */
export function importsOf(file: string): Import[] {
  const text = readFileSync(file, "utf8");
  const named = file.endsWith(".css") ? namedInCss(text) : namedInCode(file, text);
  return named
    .filter(({ path }) => path.startsWith(".") && !path.includes("+types"))
    .map(({ path, typesOnly }) => {
      const to = normalize(join(dirname(file), path.replace(/\?.*$/, "")));
      return { from: file, to, typesOnly };
    })
    .filter(({ to }) => existsSync(to));
}

type Named = { path: string; typesOnly: boolean };

function namedInCss(text: string): Named[] {
  return [...text.matchAll(/(?:@import\s+|url\()"(\.[^"]+)"/g)].map(([, path]) => ({
    path: path!,
    typesOnly: false,
  }));
}

function namedInCode(file: string, text: string): Named[] {
  const { module, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]!.message}`);
  const imported = module.staticImports.map(({ moduleRequest, entries }) => ({
    path: moduleRequest.value,
    typesOnly: entries.length > 0 && entries.every(({ isType }) => isType),
  }));
  const exported = module.staticExports
    .flatMap(({ entries }) => entries)
    .flatMap(({ moduleRequest, isType }) =>
      moduleRequest ? { path: moduleRequest.value, typesOnly: isType } : [],
    );
  // The parser does not list `import("…")` in types and `new URL("…")`.
  const others = [...text.matchAll(/(?:import|new URL)\(\s*"(\.[^"]+)"/g)].map(([, path]) => ({
    path: path!,
    typesOnly: false,
  }));
  return [...imported, ...exported, ...others];
}

/**
 * Finds dependency cycles: Tarjan's strongly connected components of two or more nodes.
 */
export function cyclesOf(edges: readonly (readonly [string, string])[]): string[][] {
  const next = new Map<string, Set<string>>();
  for (const [from, to] of edges) {
    next.set(from, (next.get(from) ?? new Set()).add(to));
    if (!next.has(to)) next.set(to, new Set());
  }
  const index = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const found: string[][] = [];

  function visit(node: string) {
    index.set(node, index.size);
    lowest.set(node, index.get(node)!);
    stack.push(node);
    for (const other of next.get(node)!) {
      if (!index.has(other)) visit(other);
      if (stack.includes(other)) lowest.set(node, Math.min(lowest.get(node)!, lowest.get(other)!));
    }
    if (lowest.get(node) !== index.get(node)) return;
    const group = stack.splice(stack.indexOf(node));
    if (group.length > 1) found.push(group.toSorted());
  }

  for (const node of next.keys()) if (!index.has(node)) visit(node);
  return found;
}
