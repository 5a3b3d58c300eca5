import { expect, test } from "vitest";
import { encodeToasts, readCarriedToasts } from "./toasts.server.ts";

test("a message that is carried to two answers is known to be one, and two alike are two", () => {
  const done = { kind: "success" as const, title: "Review updated successfully" };
  const cookie = encodeToasts([done, done]);
  const [first, second] = readCarriedToasts(cookie);
  expect(first).toMatchObject(done);
  expect(first?.id).toBeTruthy();
  expect(first?.id).not.toBe(second?.id);
  expect(readCarriedToasts(cookie)).toEqual([first, second]);
});

test("a cookie that nobody of ours wrote holds no messages", () => {
  for (const cookie of [
    undefined,
    "",
    "%%%",
    Buffer.from('[{"kind":"loud"}]').toString("base64url"),
  ])
    expect(readCarriedToasts(cookie)).toEqual([]);
});
