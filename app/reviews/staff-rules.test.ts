import { expect, test } from "vitest";
import { formatFeedbackPreview, previewLength } from "./staff-rules.ts";

test("a preview ends between characters", () => {
  const letters = "a".repeat(previewLength - 1);
  expect(formatFeedbackPreview(`${letters}🇮🇳`)).toBe(`${letters}…`);
  expect(formatFeedbackPreview(`${letters}📞 and more`)).toBe(`${letters}📞…`);
  expect(formatFeedbackPreview(`${letters}📞`)).toBe(`${letters}📞`);
});
