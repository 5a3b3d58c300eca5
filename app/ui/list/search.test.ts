import { expect, test } from "vitest";
import { longestSearch, readSearch } from "./search.ts";

test("a search that is too long is cut between characters", () => {
  const search = `${"a".repeat(longestSearch - 1)}📞`;
  expect(readSearch(new URLSearchParams({ search }))).toBe("a".repeat(longestSearch - 1));
});
