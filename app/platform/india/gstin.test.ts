import { expect, test } from "vitest";
import { isGstin } from "./gstin.ts";
import { indianStates, stateCodes } from "./states.ts";

// The first one is a common example in documentation. The others have an invented PAN.
test.each(["27AAPFU0939F1ZV", "08ABCDE1234F1Z0", "29ABCDE1234F1ZW"])("%s is a GSTIN", (number) => {
  expect(isGstin(number)).toBe(true);
});

test("one wrong character is always found", () => {
  const number = "27AAPFU0939F1ZV";
  for (let index = 0; index < number.length; index++)
    for (const other of "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ") {
      const changed = number.slice(0, index) + other + number.slice(index + 1);
      if (changed !== number) expect(isGstin(changed), changed).toBe(false);
    }
});

test.each(["", "27aapfu0939f1zv", "27AAPFU0939F1Z", "99AAPFU0939F1ZV", "27AAPFU0939F1ZV "])(
  "%j is no GSTIN",
  (text) => expect(isGstin(text)).toBe(false),
);

test("28 States and 8 Union Territories have codes of their own", () => {
  expect(indianStates).toHaveLength(36);
  expect(new Set(Object.values(stateCodes)).size).toBe(36);
  expect(indianStates).toEqual(indianStates.toSorted());
});
