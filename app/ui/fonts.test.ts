import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const css = readFileSync("app/ui/fonts.css", "utf8");

test("faces of one family state the same weights, or browsers use one of them alone", () => {
  const weights = new Map<string, Set<string>>();
  for (const [, face = ""] of css.matchAll(/@font-face \{([^}]*)\}/g)) {
    const [, family = ""] = /font-family: "([^"]+)"/.exec(face) ?? [];
    const [, weight = "none"] = /font-weight: ([^;]+)/.exec(face) ?? [];
    weights.set(family, (weights.get(family) ?? new Set()).add(weight));
  }
  expect(weights.size).toBe(5);
  for (const [family, stated] of weights) expect([...stated], family).toHaveLength(1);
});
