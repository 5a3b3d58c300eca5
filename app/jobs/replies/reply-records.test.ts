import { expect, test } from "vitest";
import { describeLateReplies, describeReplies, getRecordWeeks } from "./reply-records.server.ts";

test.each([
  [0, "Few got a reply within 2 weeks (0 of 100)"],
  [24, "Few got a reply within 2 weeks (24 of 100)"],
  [25, "Some got a reply within 2 weeks (25 of 100)"],
  [49, "Some got a reply within 2 weeks (49 of 100)"],
  [50, "Many got a reply within 2 weeks (50 of 100)"],
  [74, "Many got a reply within 2 weeks (74 of 100)"],
  [75, "Most got a reply within 2 weeks (75 of 100)"],
  [100, "Most got a reply within 2 weeks (100 of 100)"],
])("%i of 100 people are described in words and numbers", (within, sentence) => {
  expect(describeReplies({ people: 100, within, later: 0 })).toBe(sentence);
});

test("the sentence of the design is exactly this", () => {
  expect(describeReplies({ people: 9, within: 7, later: 1 })).toBe(
    "Most got a reply within 2 weeks (7 of 9)",
  );
});

test.each([
  [0, null],
  [1, "1 person got a reply later"],
  [2, "2 people got a reply later"],
])("%i later replies are %j", (later, sentence) => {
  expect(describeLateReplies({ people: 9, within: 0, later })).toBe(sentence);
});

test.each([
  // Monday begins at half past six in the evening, in UTC.
  ["2026-11-22T18:29:59.999Z", "2026-11-09", "2026-11-16"],
  ["2026-11-22T18:30:00Z", "2026-11-16", "2026-11-23"],
  ["2026-11-29T18:29:59.999Z", "2026-11-16", "2026-11-23"],
])("at %s everyone reads the week of %s, and members that of %s", (time, everyone, members) => {
  expect(getRecordWeeks(new Date(time))).toEqual({ everyone, members });
});
