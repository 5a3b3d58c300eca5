import { readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { parseSync } from "vite";

/** A name that a file takes from another; "*" for all of its names. */
type Taken = { from: string; name: string };

/** Lists the names that a script exports itself. */
export function listExports(file: string): string[] {
  return parse(file)
    .module.staticExports.flatMap(({ entries }) => entries)
    .flatMap(({ moduleRequest, exportName }) =>
      moduleRequest === null ? (exportName.name ?? "default") : [],
    );
}

/** Lists the names that a script takes from other files of the project, including types. */
export function listTaken(file: string): Taken[] {
  const { module, text } = parse(file);
  const imported = module.staticImports.flatMap(({ moduleRequest, entries }) =>
    entries.map(({ importName }) => ({
      path: moduleRequest.value,
      name: importName.kind === "Default" ? "default" : (importName.name ?? "*"),
    })),
  );
  const passedOn = module.staticExports
    .flatMap(({ entries }) => entries)
    .flatMap(({ moduleRequest, importName }) =>
      moduleRequest ? { path: moduleRequest.value, name: importName.name ?? "*" } : [],
    );
  // `import("…")` in code and in types.
  const others = [...text.matchAll(/\bimport\(\s*"([^"]+)"/g)].map(([, path]) => ({
    path: path!,
    name: "*",
  }));
  return [...imported, ...passedOn, ...others]
    .filter(({ path }) => path.startsWith("."))
    .map(({ path, name }) => ({ from: normalize(join(dirname(file), path)), name }));
}

function parse(file: string) {
  const text = readFileSync(file, "utf8");
  const { module, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]!.message}`);
  return { module, text };
}
