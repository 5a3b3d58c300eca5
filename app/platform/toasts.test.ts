import { expect, test } from "vitest";
import type { OwnPath } from "./own-path.ts";
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

test("a carried toast keeps its undo, unless that leads to another site", () => {
  const withUndo = (action: string) => ({
    kind: "success" as const,
    title: "Review updated successfully",
    undo: { action: action as OwnPath, fields: { intent: "undo-priority" } },
  });
  const carried = (action: string) => readCarriedToasts(encodeToasts([withUndo(action)]));
  expect(carried("/admin/reviews?type=resume_review")[0]).toMatchObject(
    withUndo("/admin/reviews?type=resume_review"),
  );
  for (const action of [
    "https://evil.example/",
    "//evil.example/",
    "/\\evil",
    "javascript:alert(1)",
  ])
    expect(carried(action), action).toEqual([]);
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
