import { expect, test } from "vitest";
import { longestSearch, parseSearch } from "./search.ts";

test("a long search is cut between characters", () => {
  const search = `${"a".repeat(longestSearch - 1)}📞`;
  expect(parseSearch(new URLSearchParams({ search }))).toBe("a".repeat(longestSearch - 1));
});
