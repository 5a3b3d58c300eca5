import { expect, test } from "vitest";
import { findGstinFault } from "./gstin.ts";
import { indianStates, stateCodes } from "./states.ts";

// The first one is a common example in documentation. The others have an invented PAN.
test.each(["27AAPFU0939F1ZV", "08ABCDE1234F1Z0", "29ABCDE1234F1ZW"])("%s is a GSTIN", (number) => {
  expect(findGstinFault(number)).toBeNull();
});

test("one wrong character is always found", () => {
  const number = "27AAPFU0939F1ZV";
  for (let index = 0; index < number.length; index++)
    for (const other of "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ") {
      const changed = number.slice(0, index) + other + number.slice(index + 1);
      if (changed !== number) expect(findGstinFault(changed), changed).not.toBeNull();
    }
});

test.each([
  ["", "It has 0 characters, not 15."],
  ["27AAPFU0939F1Z", "It has 14 characters, not 15."],
  ["27AAPFU0939F1ZV ", "It has 16 characters, not 15."],
  ["27aapfu0939f1zv", "It may only have digits and capital letters."],
  ["99AAPFU0939F1ZV", "No State has the code 99, its first two characters."],
  ["27AAPFU09390F1Z", "After the State's code it must have a PAN, one digit or letter, and a Z."],
  [
    "27AAPFU0939F1ZW",
    "Its last character, the check character, doesn't fit the others: one of them is wrong.",
  ],
])("%j is no GSTIN, with its fault", (text, fault) => expect(findGstinFault(text)).toBe(fault));

test("28 States and 8 Union Territories have codes of their own", () => {
  expect(indianStates).toHaveLength(36);
  expect(new Set(Object.values(stateCodes)).size).toBe(36);
  expect(indianStates).toEqual(indianStates.toSorted());
});
