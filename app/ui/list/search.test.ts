import { expect, test } from "vitest";
import { maxSearchLength, parseSearch } from "./search.ts";

test("a long search is cut between characters", () => {
  const search = `${"a".repeat(maxSearchLength - 1)}📞`;
  expect(parseSearch(new URLSearchParams({ search }))).toBe("a".repeat(maxSearchLength - 1));
});
