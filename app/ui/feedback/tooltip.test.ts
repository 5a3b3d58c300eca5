import { expect, test } from "vitest";
import { createTooltipWait } from "./tooltip.tsx";

test("a tooltip waits 700 ms, but not within 300 ms of the last one", () => {
  let time = 10;
  const wait = createTooltipWait(() => time);
  expect(wait.before()).toBe(700);
  wait.closed();
  time += 300;
  expect(wait.before()).toBe(0);
  time += 1;
  expect(wait.before()).toBe(700);
});
