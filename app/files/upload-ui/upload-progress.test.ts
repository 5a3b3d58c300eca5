import { expect, test } from "vitest";
import { formatTimeLeft, createTransferMeter } from "./upload-progress.ts";

const nothingYet = { bytesPerSecond: null, secondsLeft: null };

test("the rate covers the last seconds", () => {
  const meter = createTransferMeter(10_000);
  expect(meter(0, 0)).toEqual(nothingYet);
  expect(meter(100, 500)).toEqual(nothingYet);
  expect(meter(1000, 1000)).toEqual({ bytesPerSecond: 1000, secondsLeft: 9 });
  for (let at = 2000; at <= 9000; at += 1000) meter(1000 + (at - 1000) / 10, at);
  expect(meter(1900, 10_000).bytesPerSecond).toBeCloseTo(100);
});

test("a part sent again doesn't reduce the progress", () => {
  const meter = createTransferMeter(10_000);
  meter(0, 0);
  meter(5000, 1000);
  expect(meter(4000, 20_000)).toEqual(nothingYet);
  expect(meter(5000, 21_000)).toEqual({ bytesPerSecond: 1000, secondsLeft: 5 });
});

test("a stalled transfer has no rate", () => {
  const meter = createTransferMeter(10_000);
  meter(5000, 0);
  expect(meter(5000, 9000)).toEqual(nothingYet);
});

test.each([
  [0, "1 s left"],
  [12.3, "13 s left"],
  [60, "1 min left"],
  [61, "2 min left"],
  [3600, "1 h left"],
])("%d seconds are formatted as %j", (seconds, words) => {
  expect(formatTimeLeft(seconds)).toBe(words);
});
