import { expect, test } from "vitest";
import type { WordBox } from "../../files/inspect/page-text.ts";
import { findWordAt, findWordByKey } from "./text-layer.tsx";

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

test.each<[what: string, point: [number, number], word: number, isInside: boolean]>([
  ["in a word", [0.25, 0.11], 1, true],
  ["between two words", [0.21, 0.11], 0, false],
  ["after the end of a line", [0.45, 0.15], 3, false],
  ["beside the page", [1.2, 0.13], 4, false],
  ["below all lines", [0.12, 0.9], 2, false],
])("a point %s is nearest to one word", (_, point, word, isInside) => {
  expect(findWordAt(words, point)).toEqual({ word, isInside });
});

test("a page without words has no nearest one", () => {
  expect(findWordAt([], [0.5, 0.5])).toBeNull();
});
