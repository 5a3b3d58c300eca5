import fc from "fast-check";
import { expect, test } from "vitest";
import {
  getFirstCharacter,
  getMonogram,
  truncateToCharacters,
  truncateToUnits,
} from "./cut-text.ts";

const family = "👩🏽‍👩🏽‍👧🏽‍👦🏽";

test.each([
  ["Asha Verma", 4, "Asha"],
  ["Asha", 4, "Asha"],
  ["Asha", 9, "Asha"],
  ["", 3, ""],
  ["ab📞", 3, "ab"],
  ["ab📞", 4, "ab📞"],
  ["a📞b", 0, ""],
  ["𝐀𝐬𝐡𝐚", 5, "𝐀𝐬"],
  ["कार्य", 3, "का"],
  ["Pune 🇮🇳", 7, "Pune "],
  [`ok ${family}!`, 20, "ok "],
  ["e\u0301e\u0301", 3, "e\u0301"],
])("%j cut to %d code units is %j", (text, most, expected) => {
  expect(truncateToUnits(text, most)).toBe(expected);
});

test.each([
  ["📞📞📞", 2, "📞📞"],
  ["🇮🇳🇮🇳", 3, "🇮🇳"],
  ["Asha", 9, "Asha"],
])("%j cut to %d characters is %j", (text, most, expected) => {
  expect(truncateToCharacters(text, most)).toBe(expected);
});

test.each([
  ["asha", "a"],
  ["𝐀𝐬𝐡𝐚", "𝐀"],
  ["काव्या", "का"],
  [`${family} Asha`, family],
  ["É".normalize("NFD"), "É".normalize("NFD")],
  ["", ""],
])("the first character of %j is %j", (text, expected) => {
  expect(getFirstCharacter(text)).toBe(expected);
});

test.each([
  ["Chaupal Health Pvt. Ltd.", "CH"],
  ["figma", "FI"],
  ["Dabba & Drive", "DD"],
  ["  3 idiots ", "3I"],
  ["काव्या स्टूडियो", "कास्टू"],
  ["&", ""],
  ["", ""],
])("the monogram of %j is %j", (name, expected) => {
  expect(getMonogram(name)).toBe(expected);
});

test("a cut text is a valid prefix within the limit", () => {
  const texts = fc.string({ unit: "grapheme", maxLength: 400 });
  fc.assert(
    fc.property(texts, fc.nat(500), (text, most) => {
      const cut = truncateToUnits(text, most);
      expect(text.startsWith(cut)).toBe(true);
      expect(cut.length).toBeLessThanOrEqual(most);
      expect(cut.isWellFormed()).toBe(text.isWellFormed());
      expect(truncateToCharacters(text, most).isWellFormed()).toBe(text.isWellFormed());
    }),
  );
});
