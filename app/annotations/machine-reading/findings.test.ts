import { expect, test } from "vitest";
import type { BoxSides, PageFont, PageLink, WordBox } from "../../files/inspect/page-text.ts";
import { describeFile, listFindings, type ReadPage } from "./findings.server.ts";

/** Builds a page of words on lines; "|" jumps to the middle of the page. */
function page(
  lines: string[],
  { number = 1, links = [], fonts = [], tops }: Partial<Extras> = {},
): ReadPage {
  const words: WordBox[] = [];
  let text = "";
  for (const [row, line] of lines.entries()) {
    let x = 0.05;
    for (const word of line.split(" ")) {
      if (word === "|") {
        x = 0.55;
        continue;
      }
      const width = word.length * 0.01;
      words.push([text.length, word.length, x, tops?.[row] ?? 0.05 + row * 0.02, width, 0.015]);
      text += `${word} `;
      x += width + 0.01;
    }
    text += "\n";
  }
  return { number, text, words, links, fonts };
}

type Extras = { number: number; links: PageLink[]; fonts: PageFont[]; tops: number[] };

const contacts = "Reach me under asha@example.com or +91 98 0000 0000";
const linked: PageLink[] = [{ address: "mailto:asha@example.com", box: [0, 0, 0.01, 0.01] }];
const sound = () => page(["Asha Verma designs services", contacts], { links: linked });

test.each(["a", "a.", "a-", `${"a-".repeat(31)}a.`, "1+", "a@", "a@a.a "])(
  "pages full of %j are read in one pass, however long",
  (unit) => {
    // A second pass for each letter would take longer than a test may.
    const length = 400_000;
    const line = unit.repeat(length / unit.length);
    expect(flawsOf([page([line, `www.${".".repeat(length)}a`])])).not.toEqual([]);
  },
);

test("an address is found after any preceding text", () => {
  const before = ["x".repeat(80), "a.".repeat(30), "-", "a-".repeat(50)];
  for (const written of ["asha@example.com", "asha.example.com"])
    for (const text of before)
      expect(flawsOf([page([text + written])], "portfolio").join(), text).toContain(
        "isn't clickable",
      );
});

function flawsOf(pages: ReadPage[], part: "resume" | "portfolio" = "resume"): string[] {
  return listFindings(part, pages, pages.length)
    .filter(({ isProblem }) => isProblem)
    .map(({ text }) => text);
}

test("a resume without problems only reports its length", () => {
  expect(listFindings("resume", [sound()], 1)).toEqual([
    { isProblem: false, text: "It has 1 page." },
  ]);
});

test("a picture reports that it has no text, and nothing else", () => {
  expect(listFindings("resume", [page(["1"])], 1)).toEqual([
    { isProblem: true, text: "Software finds no text in this file: it is a picture to it." },
    { isProblem: false, text: "It has 1 page." },
  ]);
});

test("pages without text are listed", () => {
  const pages = [sound(), page(["2"], { number: 2 }), page(["3"], { number: 3 })];
  expect(flawsOf(pages, "portfolio")).toEqual(["Software finds no text on pages 2 and 3."]);
});

test("letters beyond U+FFFF are known letters, and count once", () => {
  const named = page(["📞 𝐀𝐬𝐡𝐚 𝐕𝐞𝐫𝐦𝐚 designs services", `📞 ${contacts}`], { links: linked });
  expect(flawsOf([named])).toEqual([]);
  expect(flawsOf([sound(), page(["📞📞📞📞📞"], { number: 2 })], "portfolio")).toEqual([
    "Software finds no text on page 2.",
  ]);
  const supplementary = page(["\u{f0000}\u{f0001}\u{f0002} Asha Verma designs"]);
  expect(flawsOf([supplementary], "portfolio")).toHaveLength(1);
});

test("unmapped letters are reported, a few ornaments are not", () => {
  const icons = page(["\ue000 Asha Verma designs services for people"]);
  expect(flawsOf([icons], "portfolio")).toEqual([]);
  const coded = page(["\ue012\ue013\ue014 \ufffd\ufffd\ufffd\ufffd Asha"]);
  expect(flawsOf([coded], "portfolio")).toEqual([
    "Software can't read the letters on page 1: the font doesn't name them.",
  ]);
});

test("pages whose columns are read across are reported", () => {
  const line = "designs for people who fill in | forms that were made for paper";
  const [across, dated] = [
    page(Array(5).fill(line)),
    page(Array(5).fill("Led a team | 2020 2022")),
  ];
  expect(flawsOf([across, { ...dated, number: 2 }], "portfolio")).toEqual([
    "Columns are read across on page 1: a line of the left one goes on in the right one.",
  ]);
});

test("a reading order that jumps up and down is reported, two columns in sequence are not", () => {
  const line = "Asha Verma designs services";
  const jumping = [0.8, 0.1, 0.7, 0.2, 0.9, 0.3, 0.8, 0.1];
  expect(
    flawsOf(
      [
        page(
          jumping.map(() => line),
          { tops: jumping },
        ),
      ],
      "portfolio",
    ),
  ).toEqual(["The text of page 1 is read in a different order than on the page."]);
  const columns = [0.1, 0.3, 0.5, 0.7, 0.1, 0.3, 0.5, 0.7];
  expect(
    flawsOf(
      [
        page(
          columns.map(() => line),
          { tops: columns },
        ),
      ],
      "portfolio",
    ),
  ).toEqual([]);
});

test.each([
  ["asha@example.com", "98000 00000", []],
  ["asha@example.com", "987-654-3210", []],
  ["asha@example.com", "98765\u201143210", []],
  ["asha@example.com", "080 2345 6789", []],
  ["आशा@उदाहरण.भारत", "९८७६५ ४३२१०", []],
  ["asha@example.com", "between 2016 2018 2020 and 2022", ["no phone number"]],
  ["Asha Verma", "+91 98 0000 0000", ["no email address"]],
  ["Asha Verma", "a designer in Pune", ["no email address and no phone number"]],
])("a resume needs contact details: %s, %s", (one, other, missing) => {
  const links: PageLink[] = [{ address: one, box: [0, 0, 1, 1] }];
  expect(flawsOf([page([`Designer ${one} ${other}`], { links })])).toEqual(
    missing.map((words) => `Software finds ${words} in the text.`),
  );
});

test("a contact that exists only in a link is reported as such", () => {
  const links: PageLink[] = [
    { address: "mailto:asha@example.com", box: [0.1, 0.1, 0.1, 0.1] },
    { address: "tel:+919800000000", box: [0.1, 0.1, 0.1, 0.1] },
  ];
  expect(flawsOf([page(["Write to me or call me"], { links })])).toEqual([
    "Software finds no email address (only behind a link) and no phone number (only behind a link) in the text.",
  ]);
});

test("unlinked addresses are reported, linked ones are not", () => {
  const text = [
    "See asha.example.com/work, behance.net/asha. And https://example.in/cv or node.js",
  ];
  const over = (word: string): BoxSides => {
    const { words, text: whole } = page(text);
    const [, , ...box] = words.find(([start]) => whole.slice(start).startsWith(word))!;
    return box;
  };
  const links: PageLink[] = [
    { address: "https://asha.example.com/work", box: [0.9, 0.9, 0.01, 0.01] },
    { address: "https://short.example/1", box: over("behance") },
  ];
  expect(flawsOf([page(text, { links })], "portfolio")).toEqual([
    "“https://example.in/cv” isn't clickable. Make it a link so nobody has to type it.",
  ]);
  expect(flawsOf([page(text)], "portfolio")).toEqual([
    "“asha.example.com/work”, “behance.net/asha” and “https://example.in/cv” aren't clickable. Make them links so nobody has to type them.",
  ]);
});

test("fonts that are not embedded are reported once, except the standard ones", () => {
  const fonts = ["Helvetica-Bold", "ABCDEF+Gotham-Book", "Gotham-Book"].map((name) => ({
    name,
    isEmbedded: false,
  }));
  fonts.push({ name: "Inter", isEmbedded: true });
  const pages = [page(["Asha Verma designs"], { fonts }), page(["services for people"], { fonts })];
  expect(flawsOf(pages, "portfolio")).toEqual([
    "“Gotham-Book” is not embedded: other computers show another typeface.",
  ]);
});

test("a long resume is a problem, a long portfolio is not", () => {
  const pages = [1, 2, 3].map((number) => ({ ...sound(), number }));
  expect(flawsOf(pages)).toEqual([
    "It has 3 pages, where a resume is expected to have one or two.",
  ]);
  expect(listFindings("portfolio", pages, 61).at(-1)!.text).toBe("It has 61 pages.");
});

test("an owner reads the result of each check of a sound resume", () => {
  const reading = describeFile("resume", [sound()], 2048);
  expect(reading).toMatchObject({ size: 2048, pageCount: 1, isCut: false });
  expect(reading.findings).toEqual(
    [
      "All text can be selected.",
      "Software recognizes every letter.",
      "Software reads the text in the order of the page.",
      "Software finds your email address and phone number.",
      "Readers can click 1 link.",
      "The typefaces look the same on other computers.",
      "It has 1 page.",
    ].map((text) => ({ isProblem: false, text })),
  );
});

test("an owner reads which pages are pictures", () => {
  const pages = [sound(), page(["2"], { number: 2 }), page(["3"], { number: 3 })];
  const [first] = describeFile("portfolio", pages, 1).findings;
  expect(first).toEqual({
    isProblem: true,
    text: "2 pages are pictures: software reads nothing there (pages 2 and 3).",
  });
  const [one] = describeFile("portfolio", pages.slice(0, 2), 1).findings;
  expect(one!.text).toBe("1 page is a picture: software reads nothing there (page 2).");
  expect(describeFile("portfolio", pages.slice(1), 1).findings).toEqual([
    { isProblem: true, text: "This file is a picture: software reads nothing in it." },
    { isProblem: false, text: "It has 2 pages." },
  ]);
});

test("the text that an owner reads is limited, and its length is not", () => {
  const long = Array.from({ length: 3 }, (_, at) => page(["x".repeat(6000)], { number: at + 1 }));
  const reading = describeFile("portfolio", long, 1);
  expect(reading.characters).toBe(18_000);
  expect(reading.isCut).toBe(true);
  expect(reading.pages.map(({ text }) => text.length)).toEqual([6000, 4000]);
});
