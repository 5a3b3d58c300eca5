import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { renderIcons } from "./make-icons.ts";

test("the committed icons match the drawing", () => {
  for (const [name, bytes] of Object.entries(renderIcons()))
    expect(readFileSync(`public/${name}`).equals(bytes), name).toBe(true);
});
