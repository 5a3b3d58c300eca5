import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  buildBoardAddress,
  type BoardQuery,
  longestSearch,
  parseBoardQuery,
} from "../board-query.ts";
import { jobTypes } from "../rules.ts";

const read = (query: string) => parseBoardQuery(new URLSearchParams(query));

test("without a query, the board shows every job from the newest, with summaries", () => {
  expect(read("")).toEqual({ search: "", type: null, showSummary: true, after: null });
});

test("an unknown type means all types", () => {
  expect(read("type=Internship").type).toBe("Internship");
  expect(read("type=All").type).toBeNull();
  expect(read("type=<script>").type).toBeNull();
});

test("the summary is hidden only if its box is unticked", () => {
  expect(read("summary=hide").showSummary).toBe(false);
  expect(read("summary=hide&summary=show").showSummary).toBe(true);
});

test("a search accepts every script and symbol, removes control characters and has at most 200 characters", () => {
  expect(read("search=%00ux%0d%0alead%7f").search).toBe("ux lead");
  expect(read("search=%F0%9F%8E%A8%20%25_%27--%3Cb%3E%20%E0%A4%A1").search).toBe("🎨 %_'--<b> ड");
  expect(Array.from(read(`search=${encodeURIComponent("🎨".repeat(300))}`).search)).toHaveLength(
    longestSearch,
  );
});

test("a built address parses to the same query", () => {
  const query: fc.Arbitrary<BoardQuery> = fc.record({
    search: fc
      .string({ unit: "grapheme", maxLength: 80 })
      .map((text) => read(`search=${encodeURIComponent(text)}`).search),
    type: fc.constantFrom(null, ...jobTypes),
    showSummary: fc.boolean(),
    after: fc.option(fc.base64String({ minLength: 1 })),
  });
  fc.assert(
    fc.property(query, (expected) => {
      const url = new URL(buildBoardAddress(expected), "http://localhost");
      expect(parseBoardQuery(url.searchParams)).toEqual(expected);
    }),
  );
});
