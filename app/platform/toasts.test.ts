import { expect, test } from "vitest";
import { encodeToasts, readCarriedToasts } from "./toasts.server.ts";

test("a toast carried twice is shown once, and two equal toasts are both shown", () => {
  const done = { kind: "success" as const, title: "Review updated successfully" };
  const cookie = encodeToasts([done, done]);
  const [first, second] = readCarriedToasts(cookie);
  expect(first).toMatchObject(done);
  expect(first?.id).toBeTruthy();
  expect(first?.id).not.toBe(second?.id);
  expect(readCarriedToasts(cookie)).toEqual([first, second]);
});

test("a foreign cookie contains no toasts", () => {
  for (const cookie of [
    undefined,
    "",
    "%%%",
    Buffer.from('[{"kind":"loud"}]').toString("base64url"),
  ])
    expect(readCarriedToasts(cookie)).toEqual([]);
});
