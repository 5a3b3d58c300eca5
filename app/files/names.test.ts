import fc from "fast-check";
import { expect, test } from "vitest";
import {
  cleanName,
  listCustomerPaths,
  isSafePath,
  createReviewFilePath,
  createReviewImagePath,
} from "./names.server.ts";

test("a customer's path has the user, the time and the type", () => {
  const [first, second] = listCustomerPaths("user-1", new Date(1_767_600_000_123), "pdf");
  expect(first).toBe("user-1/1767600000123.pdf");
  expect(second).toBe("user-1/1767600000124.pdf");
});

test("a reviewer's path has the review, a random id and the name", () => {
  const uuid = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
  expect(createReviewFilePath("r1", "Resume with notes.pdf")).toMatch(
    new RegExp(`^reviews/r1/files/${uuid}-Resume-with-notes\\.pdf$`),
  );
  expect(createReviewImagePath("r1", "Page one.PNG", "png")).toMatch(
    new RegExp(`^reviews/r1/${uuid}-Page-one\\.PNG$`),
  );
  expect(createReviewFilePath("r1", "a.pdf")).not.toBe(createReviewFilePath("r1", "a.pdf"));
});

test("a screenshot never keeps a wrong extension", () => {
  expect(createReviewImagePath("r1", "photo.jpeg", "jpg")).toMatch(/-photo\.jpeg$/);
  expect(createReviewImagePath("r1", "page.html", "png")).toMatch(/-page\.html\.png$/);
  expect(createReviewImagePath("r1", "", "gif")).toMatch(/-file\.gif$/);
});

test.each([
  ["Feedback  final (2).pdf", "Feedback-final-2.pdf"],
  ["C:\\fakepath\\notes.pdf", "notes.pdf"],
  ["../../etc/passwd", "passwd"],
  ["...hidden.txt", "hidden.txt"],
  ["line\nbreak\u0000and\u202ecod.exe", "line-breakandcod.exe"],
  ["मेरा काम.pdf", "मेरा-काम.pdf"],
  ["எழுத்து #1 100%.png", "எழுத்து-1-100.png"],
  ["???", "file"],
  ["???.pdf", "pdf"],
  ["archive.tar.gz", "archive.tar.gz"],
])("the name %j becomes %j", (original, cleaned) => {
  expect(cleanName(original)).toBe(cleaned);
});

test("an overlong name is shortened and keeps its extension", () => {
  expect(cleanName(`${"a".repeat(300)}.docx`)).toBe(`${"a".repeat(115)}.docx`);
  const hindi = cleanName(`${"क".repeat(300)}.pdf`);
  expect(hindi.endsWith("क.pdf")).toBe(true);
  expect(Buffer.byteLength(hindi)).toBeLessThanOrEqual(200);
});

test("every name becomes a safe path", () => {
  const extensions = fc.constantFrom("png", "jpg");
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 400 }), extensions, (name, extension) => {
      expect(isSafePath(createReviewFilePath("r1", name))).toBe(true);
      const path = createReviewImagePath("r1", name, extension);
      expect(isSafePath(path)).toBe(true);
      expect(path).toMatch(/\.(png|jpe?g)$/i);
    }),
  );
});

test.each([
  "",
  "/",
  "a/",
  "/a",
  "a//b",
  ".",
  "..",
  "a/../b",
  ".hidden",
  "a\\b",
  "a\u0000b",
  "a b",
  "a%2e",
  "C:x",
  "x".repeat(256),
  "x/".repeat(500) + "x",
])("%j is not a safe path", (path) => {
  expect(isSafePath(path)).toBe(false);
});
