/** The sources of the example's pictures; not for the browser. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Area } from "../../annotations/rules.ts";

/** The made-up works, each with the width of its pages in CSS pixels. */
export const sources = { resume: 800, portfolio: 1600, website: 1440 };

export type Source = keyof typeof sources;

/** The size of a page in points, and the areas of its marked elements by their names in the source. */
export type MeasuredPage = { width: number; height: number; areas: Record<string, Area> };

/** The pixels of the two pictures of the crop, and the numbers of the remarks that they show. */
export type Crop = Record<"wide" | "narrow", { width: number; height: number }> & {
  numbers: number[];
};

/**
 * The content of `areas.json`: pages by their ids in the sources, the crop, and a hash of the sources when it
 * was written.
 */
export type Measured = { sources: string; pages: Record<string, MeasuredPage>; crop: Crop };

export function getSourcePath(source: Source): string {
  return join(import.meta.dirname, "sources", `${source}.html`);
}

export function readSource(source: Source): string {
  return readFileSync(getSourcePath(source), "utf8");
}

/** Hashes the sources, to check that pictures and areas were made from their current content. */
export function hashExampleSources(): string {
  const hash = createHash("sha256");
  for (const source of Object.keys(sources) as Source[]) hash.update(readSource(source));
  return hash.digest("hex").slice(0, 16);
}
