import { expect, expectTypeOf, test } from "vitest";
import { type OwnAddress, type OwnPath, parseOwnPath } from "./own-path.ts";

test("only the paths of routes are types of own paths", () => {
  expectTypeOf<"/jobs" | "/jobs?sort=pay" | "/jobs/1#apply">().toExtend<OwnPath>();
  expectTypeOf<"/service-review" | `/service-review/${string}/share`>().toExtend<OwnPath>();
  expectTypeOf<"?search=asha" | "#main" | "." | "">().toExtend<OwnAddress>();
  expectTypeOf<"?search=asha">().not.toExtend<OwnPath>();
  expectTypeOf<"/job">().not.toExtend<OwnAddress>();
  expectTypeOf<"/jobs2?sort=pay">().not.toExtend<OwnAddress>();
  expectTypeOf<`/user/${string}`>().not.toExtend<OwnAddress>();
  expectTypeOf<"//evil.example">().not.toExtend<OwnAddress>();
  expectTypeOf<string>().not.toExtend<OwnAddress>();
});

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
