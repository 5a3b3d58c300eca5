import { assert, boolean, integer, property } from "fast-check";
import { expect, test } from "vitest";
import { computeTaxSplit, type TaxSplit } from "./tax-split.ts";

const addUp = ({ taxablePaise, cgstPaise, sgstPaise, igstPaise }: TaxSplit) =>
  taxablePaise + cgstPaise + sgstPaise + igstPaise;

/** The rule of the design in other words: the whole number that is nearest, the upper one of two. */
function isNearest(part: number, dividend: number, divisor: number): boolean {
  const twice = 2n * (BigInt(part) * BigInt(divisor) - BigInt(dividend));
  return -BigInt(divisor) < twice && twice <= BigInt(divisor);
}

function findWrongSplit(amountPaise: number, rate: number): string | null {
  const same = computeTaxSplit(amountPaise, rate, true);
  const other = computeTaxSplit(amountPaise, rate, false);
  const isRight =
    addUp(same) === amountPaise &&
    addUp(other) === amountPaise &&
    same.cgstPaise === same.sgstPaise &&
    same.igstPaise === 0 &&
    other.cgstPaise + other.sgstPaise === 0 &&
    isNearest(same.cgstPaise, amountPaise * rate, 2 * (100 + rate)) &&
    isNearest(other.igstPaise, amountPaise * rate, 100 + rate);
  return isRight ? null : `${amountPaise} at ${rate}%`;
}

test("from ₹1 to ₹10,000, the parts of every amount add up to what was paid", () => {
  const wrong: string[] = [];
  for (let paise = 100; paise <= 1_000_000; paise += 1) {
    const found = findWrongSplit(paise, 18);
    if (found) wrong.push(found);
  }
  expect(wrong).toEqual([]);
});

test("the parts add up at every rate, up to the highest amount of an order", () => {
  const amounts = property(
    integer({ min: 1, max: 999_999_999 }),
    integer({ min: 1, max: 40 }),
    (amountPaise, rate) => findWrongSplit(amountPaise, rate) === null,
  );
  assert(amounts);
});

test("no part is negative", () => {
  assert(
    property(
      integer({ min: 1, max: 999_999_999 }),
      integer({ min: 1, max: 40 }),
      boolean(),
      (amountPaise, rate, isSameState) =>
        Object.values(computeTaxSplit(amountPaise, rate, isSameState)).every((part) => part >= 0),
    ),
  );
});

test.each([
  [199_00, 18, true, { taxablePaise: 168_64, cgstPaise: 15_18, sgstPaise: 15_18, igstPaise: 0 }],
  [199_00, 18, false, { taxablePaise: 168_64, cgstPaise: 0, sgstPaise: 0, igstPaise: 30_36 }],
  // Exactly half a paisa of CGST, and of SGST.
  [1_01, 1, true, { taxablePaise: 99, cgstPaise: 1, sgstPaise: 1, igstPaise: 0 }],
])("%i paise with %i%% GST, in the seller's State: %s", (amountPaise, rate, isSame, split) => {
  expect(computeTaxSplit(amountPaise, rate, isSame)).toEqual(split);
});
