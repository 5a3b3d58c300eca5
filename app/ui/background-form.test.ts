import { expect, test } from "vitest";
import { backgroundForm } from "./background-form.ts";

test("what is too long to outlive its page is sent all the same", () => {
  const written = (letters: number) => ({ feedback: "न".repeat(letters) });
  expect(backgroundForm(written(1_000), true)).toMatchObject({ keepalive: true });
  const long = backgroundForm(written(20_000), true);
  expect(long.keepalive).toBe(false);
  expect(new URLSearchParams(long.body).get("feedback")).toHaveLength(20_000);
  expect(backgroundForm(written(1), false)).toMatchObject({ keepalive: false });
});
