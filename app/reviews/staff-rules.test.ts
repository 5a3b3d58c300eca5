import { expect, test } from "vitest";
import { cleanText, feedbackPreview, previewLength } from "./staff-rules.ts";

test("a text is kept with one kind of line end and without what a database refuses", () => {
  expect(cleanText("one\r\ntwo\rthree\u0000")).toBe("one\ntwo\nthree");
});

test("a preview ends between characters", () => {
  const letters = "a".repeat(previewLength - 1);
  expect(feedbackPreview(`${letters}🇮🇳`)).toBe(`${letters}…`);
  expect(feedbackPreview(`${letters}📞 and more`)).toBe(`${letters}📞…`);
  expect(feedbackPreview(`${letters}📞`)).toBe(`${letters}📞`);
});
