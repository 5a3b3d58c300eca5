import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { buildChangeRequest } from "./send-change.ts";
import { personHeader } from "./expected-user.ts";

beforeEach(() => {
  vi.stubGlobal("document", { documentElement: { dataset: { person: "asha" } } });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

test("what is too long to outlive its page is sent all the same", () => {
  const written = (letters: number) => ({ feedback: "न".repeat(letters) });
  expect(buildChangeRequest(written(1_000), true)).toMatchObject({ keepalive: true });
  const long = buildChangeRequest(written(20_000), true);
  expect(long.keepalive).toBe(false);
  expect(new URLSearchParams(long.body).get("feedback")).toHaveLength(20_000);
  expect(buildChangeRequest(written(1), false)).toMatchObject({ keepalive: false });
});

test("it says whom its page was shown to, where that is somebody", () => {
  expect(buildChangeRequest({}, false).headers).toMatchObject({ [personHeader]: "asha" });
  vi.stubGlobal("document", { documentElement: { dataset: {} } });
  expect(buildChangeRequest({}, false).headers).not.toHaveProperty(personHeader);
});
