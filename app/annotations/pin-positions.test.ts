import * as fc from "fast-check";
import { expect, test } from "vitest";
import { formatSquare } from "./sheet-grid.ts";
import { getPinPositions, moveApart } from "./pin-positions.ts";

const area = (x: number, y: number) => ({ x, y, width: 0.1, height: 0.02 });

test("pins that have room are at their areas", () => {
  expect(moveApart([0.1, 0.5, 0.9], 0.05)).toEqual([0.1, 0.5, 0.9]);
  expect(moveApart([], 0.05)).toEqual([]);
});

test("pins that would overlap are moved apart, in both directions", () => {
  const [first, second] = moveApart([0.5, 0.5], 0.1);
  expect(first).toBeCloseTo(0.45);
  expect(second).toBeCloseTo(0.55);
});

test("pins stay on the sheet, in order, apart, and no further from their areas than needed", () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 60 }),
      fc.double({ min: 0.001, max: 0.2, noNaN: true }),
      (numbers, gap) => {
        const sorted = numbers.toSorted((one, other) => one - other);
        const placed = moveApart(sorted, gap);
        const used = Math.min(gap, 1 / Math.max(1, sorted.length - 1));
        expect(placed).toHaveLength(sorted.length);
        for (const [index, place] of placed.entries()) {
          expect(place).toBeGreaterThanOrEqual(-1e-9);
          expect(place).toBeLessThanOrEqual(1 + 1e-9);
          if (index > 0) expect(place - placed[index - 1]!).toBeGreaterThanOrEqual(used - 1e-9);
        }
        const isApart = sorted.every(
          (one, index) => index === 0 || one - sorted[index - 1]! >= used,
        );
        if (isApart)
          for (const [index, place] of placed.entries()) expect(place).toBeCloseTo(sorted[index]!);
      },
    ),
  );
});

test("a pin is placed for wide sheets and for narrow ones, where pins take more of the width", () => {
  const heights = getPinPositions(
    [
      { id: "upper", area: area(0.5, 0.5) },
      { id: "lower", area: area(0.1, 0.51) },
    ],
    1,
  );
  const gap = (size: "wide" | "narrow") => heights.lower![size] - heights.upper![size];
  expect(gap("wide")).toBeCloseTo(0.042);
  expect(gap("narrow")).toBeCloseTo(0.13);
});

test("six pins on one line share a place, five don't", () => {
  const line = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ id: `${index}`, area: area(index / 10, 0.3) }));
  const places = (count: number) => {
    const pins = getPinPositions([...line(count), { id: "below", area: area(0.1, 0.9) }], 1);
    return new Set(Object.values(pins).map(({ wide }) => wide)).size;
  };
  expect(places(5)).toBe(6);
  expect(places(6)).toBe(2);
});

test.each([
  [0, 0, "A1"],
  [0.4, 0.4, "C4"],
  [1, 1, "F8"],
])("the area at %f, %f begins in %s", (x, y, square) => {
  expect(formatSquare({ x, y, width: 0, height: 0 })).toBe(square);
});
