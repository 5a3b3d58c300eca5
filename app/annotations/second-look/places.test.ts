import { expect, test } from "vitest";
import type { WordBox } from "../../files/inspect/page-text.ts";
import type { Area, Remark } from "../rules.ts";
import { findProposal, type WordedPage } from "./places.server.ts";

/** A resume as sections of lines. Each word is written "word#id", so that it can be found after an edit. */
type Resume = string[][];

const linesPerPage = 40;

/** Lays a resume out on pages, one line below the other. */
function layOut(resume: Resume): {
  pages: WordedPage[];
  places: Map<string, { page: number; area: Area }>;
} {
  const places = new Map<string, { page: number; area: Area }>();
  const pages: WordedPage[] = [];
  for (const [index, line] of resume.flat().entries()) {
    const number = Math.floor(index / linesPerPage) + 1;
    const page = (pages[number - 1] ??= {
      part: "resume",
      number,
      text: "",
      words: [],
      links: [],
      fonts: [],
    });
    let x = 0.08;
    for (const marked of line.split(" ")) {
      const [word = "", id = ""] = marked.split("#");
      const width = word.length * 0.011;
      const area = { x, y: 0.05 + (index % linesPerPage) * 0.022, width, height: 0.016 };
      const box: WordBox = [page.text.length, word.length, area.x, area.y, area.width, area.height];
      page.words.push(box);
      page.text += `${word} `;
      places.set(id, { page: number, area });
      x += width + 0.011;
    }
    page.text = `${page.text.trimEnd()}\n`;
  }
  return { pages, places };
}

/** A small generator of numbers from 0 to 1, the same for each seed. */
function createNumbers(seed: number): () => number {
  let state = seed * 2_654_435_761 + 1;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

const vocabulary =
  "designed led shipped research usability design system figma users app payments onboarding flow team bank hospital students tested reduced increased by % support tickets wireframes prototypes accessible components with for the and of in a".split(
    " ",
  );

/** Writes a resume of five sections. The words repeat, as those of real resumes do. */
function writeResume(next: () => number): Resume {
  let id = 0;
  const pick = () => `${vocabulary[Math.floor(next() * vocabulary.length)]!}#${(id += 1)}`;
  return Array.from({ length: 5 }, () =>
    Array.from({ length: 6 + Math.floor(next() * 8) }, () =>
      Array.from({ length: 6 + Math.floor(next() * 5) }, pick).join(" "),
    ),
  );
}

/** Edits a resume as people do: sections move, lines come and go, and a few words change. */
function edit(resume: Resume, next: () => number): Resume {
  const [first, second, ...rest] = resume;
  const moved = next() < 0.5 ? [second!, first!, ...rest] : [first!, ...rest, second!];
  const added = () =>
    Array.from({ length: 8 }, () => vocabulary[Math.floor(next() * vocabulary.length)]!).join(" ");
  return moved.map((section) =>
    section.flatMap((line) => {
      if (next() < 0.08) return [];
      const words = line.split(" ").map((word) => (next() < 0.06 ? "rewritten" : word));
      return next() < 0.1 ? [added(), words.join(" ")] : [words.join(" ")];
    }),
  );
}

function createRemark(words: Partial<Remark>): Pick<Remark, "target" | "area" | "quote"> {
  return { target: { kind: "page", part: "resume", page: 1 }, area: null, quote: null, ...words };
}

/** Checks whether the middle of a proposed area is on the line of a word, and not far from it. */
function isAt(area: Area, word: Area): boolean {
  const [x, y] = [area.x + area.width / 2, area.y + area.height / 2];
  return (
    Math.abs(y - (word.y + word.height / 2)) < 0.02 &&
    Math.abs(x - (word.x + word.width / 2)) < 0.35
  );
}

test("of 20 edited resumes, nine in ten remarks whose words stayed are proposed at these words", () => {
  let [right, all] = [0, 0];
  for (let seed = 1; seed <= 20; seed += 1) {
    const next = createNumbers(seed);
    const before = writeResume(next);
    const [earlier, later] = [layOut(before), layOut(edit(before, next))];
    const lines = before.flat();
    for (let count = 0; count < 15; count += 1) {
      const marked = lines[Math.floor(next() * lines.length)]!.split(" ");
      const length = 2 + Math.floor(next() * 4);
      const start = Math.floor(next() * (marked.length - length));
      const words = marked
        .slice(start, start + length)
        .map((word) => word.split("#") as [string, string]);
      const kept = words.map(([, id]) => later.places.get(id));
      if (kept.some((place) => !place)) continue;
      const [first, last] = [
        earlier.places.get(words[0]![1])!,
        earlier.places.get(words.at(-1)![1])!,
      ];
      const remark = createRemark({
        target: { kind: "page", part: "resume", page: first.page },
        area: { ...first.area, width: last.area.x + last.area.width - first.area.x },
        quote: count % 2 === 0 ? words.map(([word]) => word).join(" ") : null,
      });
      const found = findProposal(remark, earlier.pages, later.pages);
      all += 1;
      if (
        found?.hasSameWords &&
        found.target.page === kept[0]!.page &&
        isAt(found.area!, kept[0]!.area)
      )
        right += 1;
    }
  }
  expect(all).toBeGreaterThan(150);
  expect(right / all).toBeGreaterThanOrEqual(0.9);
});

const [one] = layOut([["led#1 the#2 payments#3 team#4", "tested#5 the#6 flow#7"]]).pages;

test("words that are gone leave the same part of the page, marked as such", () => {
  const area = { x: 0.08, y: 0.05, width: 0.3, height: 0.016 };
  const pages = layOut([["something#1 else#2"]]).pages;
  expect(findProposal(createRemark({ area, quote: "payments team" }), [one!], pages)).toEqual({
    target: { kind: "page", part: "resume", page: 1 },
    area,
    hasSameWords: false,
  });
});

test("a page that is gone, or a screenshot, has no proposal", () => {
  const area = { x: 0.1, y: 0.1, width: 0.1, height: 0.1 };
  const onPage2 = createRemark({ target: { kind: "page", part: "resume", page: 2 }, area });
  expect(findProposal(onPage2, [one!], [one!])).toBeNull();
  const onPicture = createRemark({ target: { kind: "image", imageId: "a" }, area });
  expect(findProposal(onPicture, [one!], [one!])).toBeNull();
  expect(findProposal(createRemark({ target: null }), [one!], [one!])).toBeNull();
});

test("a remark on all of a page stays one, also when its quoted words moved", () => {
  const pages = layOut([
    Array.from({ length: linesPerPage }, (_, at) => `filler#f${at}`),
    ["the#1 payments#2 team#3"],
  ]).pages;
  expect(findProposal(createRemark({ quote: "Payments team." }), [one!], pages)).toEqual({
    target: { kind: "page", part: "resume", page: 2 },
    area: null,
    hasSameWords: true,
  });
  expect(findProposal(createRemark({}), [one!], pages)).toMatchObject({
    area: null,
    hasSameWords: false,
  });
});

test("a point has the words of its line", () => {
  const pages = layOut([
    ["an#0 added#9 line#8"],
    ["led#1 the#2 payments#3 team#4", "tested#5 the#6 flow#7"],
  ]).pages;
  const area = { x: 0.2, y: 0.055, width: 0, height: 0 };
  const found = findProposal(createRemark({ area }), [one!], pages);
  expect(found?.hasSameWords).toBe(true);
  expect(found?.area?.y).toBeCloseTo(0.072);
});
