import { expect, test } from "vitest";
import { listTextParts, type Part } from "./list-text-parts.server.ts";

test("words are marked where they changed", () => {
  expect(listTextParts("You draw letters by hand.", "You draw and cut letters by hand.")).toEqual([
    { kind: "same", text: "You draw " },
    { kind: "added", text: "and cut " },
    { kind: "same", text: "letters by hand." },
  ]);
  expect(listTextParts("Pay: ₹9 a day", "")).toEqual([{ kind: "removed", text: "Pay: ₹9 a day" }]);
});

test("a text with few common words is shown as a new one", () => {
  const parts = listTextParts("You draw the letters of signs.", "We look for the head of sales.");
  expect(parts.map(({ kind }) => kind)).toEqual(["removed", "added"]);
});

test("words far from a change are left out, in any script", () => {
  const words = Array.from({ length: 100 }, (_, index) => `शब्द${index}`);
  const parts = listTextParts(words.join(" "), words.with(50, "नया").join(" "));
  expect(parts.map(({ kind }) => kind)).toEqual(["same", "removed", "added", "same"]);
  expect(parts[0]!.text).toMatch(/^… शब्द35 .*शब्द49 $/u);
  expect(parts[3]!.text).toMatch(/^शब्द51 .*शब्द65 …$/u);
});

test("both texts can be read from the parts, also after many changes", () => {
  const before = "a b c d e f g h\ni j";
  const after = "a x c d f g y h\n\ni j k";
  const read = (parts: Part[], kind: Part["kind"]) =>
    parts
      .filter((part) => part.kind === "same" || part.kind === kind)
      .map(({ text }) => text)
      .join("");
  const parts = listTextParts(before, after);
  expect([read(parts, "removed"), read(parts, "added")]).toEqual([before, after]);
  const long = (word: string) => Array.from({ length: 3_000 }, () => word).join(" ");
  expect(listTextParts(long("a"), long("b"))).toEqual([
    { kind: "removed", text: long("a") },
    { kind: "added", text: long("b") },
  ]);
});
