import { globSync, readFileSync } from "node:fs";

/** Reads all stylesheets of the built product as one text. */
export function readBuiltStyles(): string {
  const sheets = globSync("build/client/assets/*.css");
  if (sheets.length === 0) throw new Error("The product is not built.");
  return sheets.map((file) => readFileSync(file, "utf8")).join("\n");
}
