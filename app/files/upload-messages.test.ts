import { expect, test } from "vitest";
import { buildTypeProblem, uploadRules } from "./rules.ts";
import {
  formatFieldProblem,
  findChosenFileProblem,
  getUploadFailureTitle,
  noSession,
} from "./upload-messages.ts";

const megabyte = 1_048_576;
const resume = { name: "Asha.PDF", type: "application/pdf", size: 10 * megabyte };

test("a file within its limits is accepted", () => {
  expect(findChosenFileProblem("resume", resume)).toBeNull();
  expect(
    findChosenFileProblem("review-image", { name: "a.JPEG", type: "image/jpeg", size: 1 }),
  ).toBeNull();
  expect(findChosenFileProblem("review-file", { name: "a.zip", type: "", size: 1 })).toBeNull();
  expect(findChosenFileProblem("resume", { name: "no extension", type: "", size: 1 })).toBeNull();
});

test("a file that is too large is refused before it is sent", () => {
  const problem = {
    title: "File too large",
    description: "Please upload a file smaller than 10MB",
  };
  expect(findChosenFileProblem("resume", { ...resume, size: resume.size + 1 })).toEqual(problem);
});

test.each([
  { name: "photo.png", type: "image/png" },
  { name: "resume.pdf.exe", type: "" },
  { name: "resume", type: "text/html" },
])("$name of type $type is not a resume", (file) => {
  const problem = {
    title: "Invalid file type",
    description: "Please upload a PDF or Word document",
  };
  expect(findChosenFileProblem("resume", { ...file, size: 1 })).toEqual(problem);
});

test("an empty file gets a message", () => {
  expect(findChosenFileProblem("review-file", { name: "a.zip", type: "", size: 0 })).toEqual({
    title: "Failed to upload file",
    description: "This file is empty.",
  });
});

test.each([
  ["resume", uploadRules.resume.tooLarge, "This file is larger than 10 MB."],
  ["resume", buildTypeProblem("resume"), "This file is not a PDF or Word document."],
  ["portfolio", buildTypeProblem("portfolio", "This file is empty."), "This file is empty."],
  ["review-image", uploadRules["review-image"].tooLarge, "This file is larger than 10 MB."],
  ["review-file", buildTypeProblem("review-file", "This file is empty."), "This file is empty."],
  [
    "resume",
    { title: getUploadFailureTitle("resume"), description: noSession },
    "You're no longer signed in.",
  ],
  ["resume", { title: getUploadFailureTitle("resume"), description: "" }, "Upload failed"],
] as const)("the message at the field of a %s is %j", (purpose, problem, words) => {
  expect(formatFieldProblem(purpose, problem)).toBe(words);
});
