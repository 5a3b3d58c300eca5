import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { buildPageStyles, fontPreloads, mark } from "./page-styles.server.ts";

const count = (text: string, part: string) => text.split(part).length - 1;
const faces = readFileSync("app/ui/fonts.css", "utf8");

test("a page on the product's site has every token and face, each file by its own address", () => {
  const styles = buildPageStyles();
  expect(styles).toContain("--color-ink:#17211f;");
  expect(styles).toContain("--neatline:linear-gradient(");
  expect(count(styles, "@font-face")).toBe(count(faces, "@font-face"));
  const files = [...styles.matchAll(/url\("([^"]+\.woff2)"\)/g)].map(([, file]) => file!);
  expect(files).toHaveLength(5);
  for (const file of files) expect(file).toMatch(/^\//);
  const preloaded = [...fontPreloads.matchAll(/href="([^"]+)"/g)].map(([, file]) => file!);
  expect(preloaded).toEqual([files[0], files[1]]);
});

test("a page follows the system's theme, unless another is chosen", () => {
  const [system = "", ...chosen] = buildPageStyles()
    .split("\n")
    .filter((line) => line.includes("#eeeadd"));
  expect(chosen).toHaveLength(1);
  expect(system).toMatch(
    /^@media \(prefers-color-scheme:dark\)\{:root:not\(\[data-theme="light"\]\)/,
  );
  expect(chosen[0]).toMatch(/^:root\[data-theme="dark"\]/);
  expect(buildPageStyles()).not.toContain("light-dark(");
});

test("a page on another site has only the faces that it brings, and the system's fallbacks", () => {
  const styles = buildPageStyles(new Map([["anek-latin.woff2", "data:font/woff2;base64,AA"]]));
  expect(styles.match(/url\([^)]*\)/g)).toEqual(['url("data:font/woff2;base64,AA")']);
  expect(styles).toContain('font-family: "Instrument Sans fallback"');
  expect(styles).not.toContain('font-family: "Instrument Sans";');
});

test("the mark is the one of the header", () => {
  const header = readFileSync("app/site/header.tsx", "utf8");
  const [shape] = /d="M16[^"]+"/.exec(header)!;
  expect(mark).toContain(shape);
});
