import { expect, test } from "vitest";
import { percentChange, revenueChange } from "./revenue.ts";

test.each([
  [0, 0, 0],
  [100, 0, 100],
  [0, 100, -100],
  [150, 100, 50],
  [100, 100, 0],
])("%i after %i is a change of %i percent", (current, previous, percent) => {
  expect(percentChange(current, previous)).toBe(percent);
});

test("a rise has a plus, a fall a minus, each with one decimal", () => {
  expect(revenueChange(112_50, 100_00)).toEqual({
    direction: "up",
    words: "+12.5% from last month",
  });
  expect(revenueChange(66_67, 100_00)).toEqual({
    direction: "down",
    words: "-33.3% from last month",
  });
  expect(revenueChange(199_00, 0)?.words).toBe("+100.0% from last month");
  expect(revenueChange(0, 199_00)?.words).toBe("-100.0% from last month");
});

test("no change is said so, also one that a decimal cannot show", () => {
  expect(revenueChange(0, 0)).toBeNull();
  expect(revenueChange(199_00, 199_00)).toBeNull();
  expect(revenueChange(1_000_001, 1_000_000)).toBeNull();
  expect(revenueChange(999_999, 1_000_000)).toBeNull();
});
