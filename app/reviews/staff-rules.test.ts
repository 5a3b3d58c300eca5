import { expect, test } from "vitest";
import { feedbackPreview, previewLength } from "./staff-rules.ts";

test("a preview ends between characters", () => {
  const letters = "a".repeat(previewLength - 1);
  expect(feedbackPreview(`${letters}🇮🇳`)).toBe(`${letters}…`);
  expect(feedbackPreview(`${letters}📞 and more`)).toBe(`${letters}📞…`);
  expect(feedbackPreview(`${letters}📞`)).toBe(`${letters}📞`);
});
