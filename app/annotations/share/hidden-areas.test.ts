import { expect, test } from "vitest";
import type { WordBox } from "../../files/inspect/page-text.ts";
import { listPrivateAreas } from "./hidden-areas.server.ts";

/** Returns a page's words with those blacked out that are found to be private. */
function hide(text: string, name: string | null = null): string {
  const words = Array.from(text.matchAll(/\S+/g), (match, index): WordBox => {
    return [match.index, match[0].length, index * 0.01, 0.1, 0.008, 0.02];
  });
  const page = { text, words, links: [], fonts: [] };
  const hidden = new Set(
    listPrivateAreas(page, name).map(({ x }) => Math.round((x + 0.003) * 100)),
  );
  return text
    .match(/\S+/g)!
    .map((word, index) => (hidden.has(index) ? "█" : word))
    .join(" ");
}

test.each([
  ["987-654-3210"],
  ["98765\u201143210"],
  ["98765–43210"],
  ["080 2345 6789"],
  ["+91 98 765 432 10"],
  ["+91 98765\n43210"],
  ["९८७६५ ४३२१०"],
  ["022 2345 6789 / 90"],
  ["+44 20 7946 0958"],
  ["asha@example.com"],
  ["आशा@उदाहरण.भारत"],
  ["asha@bücher.example"],
  ["josé.núñez@example.com"],
  ["asha.verma+jobs@sub.example.co.in"],
  ["उदाहरण.भारत"],
  ["behance.net/asha"],
])("no word of %j is left on a shared page", (contact) => {
  expect(hide(`Designer ${contact} Pune 2019 to 2023`).replaceAll("█ ", "")).toBe(
    "Designer Pune 2019 to 2023",
  );
});

test.each([
  ["Om Rao", "Om OM Rao RAO rao designs on ombre forms", "█ █ █ █ █ designs on ombre forms"],
  ["An Li", "An designs an app with LI", "█ designs an app with █"],
  ["A. Rao", "A designer", "A designer"],
  ["ओम राव", "ओम राव की ओमेगा", "█ █ की ओमेगा"],
  ["José", "Jose\u0301 JOSÉ José", "█ █ █"],
  [null, "Asha Verma", "Asha Verma"],
])("of %s, only complete names are hidden", (name, text, left) => {
  expect(hide(text, name)).toBe(left);
});
