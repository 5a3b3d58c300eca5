import { expect, test } from "vitest";
import type { WordBox } from "../../files/inspect/page-text.ts";
import { findWordByKey } from "./text-layer.tsx";

/** Words in two lines of two, beside a column of one line. */
const words: WordBox[] = [
  [0, 3, 0.1, 0.1, 0.1, 0.02],
  [4, 3, 0.22, 0.1, 0.1, 0.02],
  [8, 3, 0.1, 0.14, 0.1, 0.02],
  [12, 3, 0.22, 0.14, 0.1, 0.02],
  [16, 3, 0.6, 0.12, 0.1, 0.02],
];

test.each<[from: number | null, key: string, to: number | null]>([
  [null, "ArrowRight", 0],
  [null, "ArrowUp", 0],
  [null, "End", 4],
  [0, "ArrowRight", 1],
  [4, "ArrowRight", 4],
  [0, "ArrowLeft", 0],
  [3, "ArrowLeft", 2],
  [1, "ArrowDown", 3],
  [3, "ArrowUp", 1],
  [2, "ArrowDown", 2],
  [3, "Home", 0],
  [0, "a", null],
  [0, "toString", null],
])("from word %s, %s leads to %s", (from, key, to) => {
  expect(findWordByKey(words, from, key)).toBe(to);
});
