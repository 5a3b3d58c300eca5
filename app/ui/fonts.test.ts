import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const css = readFileSync("app/ui/fonts.css", "utf8");

test("all faces of a family declare the same weights", () => {
  const weights = new Map<string, Set<string>>();
  for (const [, face = ""] of css.matchAll(/@font-face \{([^}]*)\}/g)) {
    const [, family = ""] = /font-family: "([^"]+)"/.exec(face) ?? [];
    const [, weight = "none"] = /font-weight: ([^;]+)/.exec(face) ?? [];
    weights.set(family, (weights.get(family) ?? new Set()).add(weight));
  }
  expect(weights.size).toBe(5);
  for (const [family, stated] of weights) expect([...stated], family).toHaveLength(1);
});
