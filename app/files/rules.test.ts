import { expect, test } from "vitest";
import {
  formatBytes,
  findSizeProblem,
  buildTypeProblem,
  uploadPurposes,
  uploadRules,
} from "./rules.ts";

test("a file of exactly the limit is accepted, but not one byte more", () => {
  for (const purpose of uploadPurposes) {
    const { maxBytes, tooLarge } = uploadRules[purpose];
    expect(findSizeProblem(purpose, maxBytes)).toBeNull();
    expect(findSizeProblem(purpose, maxBytes + 1)).toEqual(tooLarge);
  }
  expect(uploadRules.resume.maxBytes).toBe(10_485_760);
  expect(uploadRules.portfolio.maxBytes).toBe(52_428_800);
});

test("a resume or portfolio that is too large is refused", () => {
  expect(findSizeProblem("resume", 11_000_000)).toEqual({
    title: "File too large",
    description: "Please upload a file smaller than 10MB",
  });
  expect(findSizeProblem("portfolio", 53_000_000)).toEqual({
    title: "File too large",
    description: "Please upload a file smaller than 50MB",
  });
});

test("a size that is not a number is refused", () => {
  expect(findSizeProblem("resume", Number.NaN)).not.toBeNull();
});

test("a wrong type is refused", () => {
  expect(buildTypeProblem("resume")).toEqual({
    title: "Invalid file type",
    description: "Please upload a PDF or Word document",
  });
  expect(buildTypeProblem("portfolio")).toEqual({
    title: "Invalid file type",
    description: "Please upload a PDF or image file",
  });
});

test("customers get the accepted types with the reason, staff only the reason", () => {
  expect(buildTypeProblem("resume", "This file is empty.").description).toBe(
    "Please upload a PDF or Word document. This file is empty.",
  );
  expect(buildTypeProblem("review-image", "This file is empty.")).toEqual({
    title: "Failed to upload image",
    description: "This file is empty.",
  });
  expect(buildTypeProblem("review-file", "This file is empty.").title).toBe(
    "Failed to upload file",
  );
});

test("file inputs offer the accepted types", () => {
  expect(uploadRules.resume.accept).toMatch(/^\.pdf,\.doc,\.docx,application\/pdf,/);
  expect(uploadRules.portfolio.accept).toBe(
    ".pdf,.png,.jpg,.jpeg,application/pdf,image/png,image/jpeg",
  );
  expect(uploadRules["review-image"].accept).not.toMatch(/svg/);
  expect(uploadRules["review-file"].accept).toBeUndefined();
});

test("file sizes are readable", () => {
  expect([0, 1, 1023, 1024, 831_488, 1_048_575, 1_048_576, 2_516_582].map(formatBytes)).toEqual([
    "0 bytes",
    "1 byte",
    "1023 bytes",
    "1 KB",
    "812 KB",
    "1 MB",
    "1 MB",
    "2.4 MB",
  ]);
});
