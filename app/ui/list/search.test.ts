import { expect, test } from "vitest";
import { longestSearch, readSearch } from "./search.ts";

test("a search is cut, and has no characters that a database refuses", () => {
  const read = (search: string) => readSearch(new URLSearchParams({ search }));
  expect(read(" as\u0000ha ")).toBe("asha");
  expect(read("a".repeat(longestSearch + 1))).toHaveLength(longestSearch);
  expect(readSearch(new URLSearchParams())).toBe("");
});
