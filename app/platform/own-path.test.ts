import { expect, test } from "vitest";
import { parseOwnPath } from "./own-path.ts";

test("an own path keeps its query", () => {
  expect(parseOwnPath("/jobs/1?q=ux&type=Full-time")).toBe("/jobs/1?q=ux&type=Full-time");
  expect(parseOwnPath("/reset-password?type=recovery")).toBe("/reset-password?type=recovery");
  expect(parseOwnPath("/services/resume-review#pay")).toBe("/services/resume-review#pay");
});

test.each([
  "https://evil.example/",
  "//evil.example/",
  "/\\evil.example",
  "/\t/evil.example",
  "/..//evil.example",
  "javascript:alert(1)",
  "jobs",
  "",
  null,
  42,
  `/${"x".repeat(2000)}`,
  "/theme",
  "/session?x",
  "/jobs/../logout",
  "/reset-password/check",
  "/uploads/form",
  "/payu-webhook",
])("%j is not an own path", (candidate) => {
  expect(parseOwnPath(candidate)).toBeNull();
});
