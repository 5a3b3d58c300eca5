import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { buildChangeRequest } from "./send-change.ts";
import { personHeader } from "./expected-user.ts";

beforeEach(() => {
  vi.stubGlobal("document", { documentElement: { dataset: { person: "asha" } } });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

test("a change too long for keepalive is still sent", () => {
  const written = (letters: number) => ({ feedback: "न".repeat(letters) });
  expect(buildChangeRequest(written(1_000), true)).toMatchObject({ keepalive: true });
  const long = buildChangeRequest(written(20_000), true);
  expect(long.keepalive).toBe(false);
  expect(new URLSearchParams(long.body).get("feedback")).toHaveLength(20_000);
  expect(buildChangeRequest(written(1), false)).toMatchObject({ keepalive: false });
});

test("a change names the person the page was rendered for", () => {
  expect(buildChangeRequest({}, false).headers).toMatchObject({ [personHeader]: "asha" });
  vi.stubGlobal("document", { documentElement: { dataset: {} } });
  expect(buildChangeRequest({}, false).headers).not.toHaveProperty(personHeader);
});
