import { expect, test } from "vitest";
import type { PageView, Remark } from "./rules.ts";
import { countBySeverity, selectFirstThings, isActionable, findAdjacentRemark } from "./marked.ts";
import { buildMarkedSheets } from "./mark-sheets.server.ts";

const bands = [{ top: 0, height: 1, large: "/large.webp", small: "/small.webp" }];
const page = (part: PageView["part"], number: number): PageView => ({
  part,
  number,
  width: 595,
  height: 842,
  bands,
});
const pages = [page("resume", 1), page("resume", 2), page("portfolio", 1)];
const screenshots = [
  {
    id: "shot",
    number: 2,
    caption: null,
    href: "/storage/review-images/shot.png",
    width: 1440,
    height: 900,
    bands,
  },
];

test("remarks are numbered across resume, portfolio and screenshots, from top to bottom and left to right", () => {
  const { sheets, remarks } = buildMarkedSheets(pages, screenshots, [
    remark("on the screenshot", { target: { kind: "image", imageId: "shot" } }),
    remark("on the portfolio", { target: onPage("portfolio", 1) }),
    remark("low", { target: onPage("resume", 1), area: at(0.1, 0.8) }),
    remark("right of it", { target: onPage("resume", 1), area: at(0.6, 0.301) }),
    remark("high", { target: onPage("resume", 1), area: at(0.2, 0.3) }),
    remark("on the whole page", { target: onPage("resume", 1), area: null }),
  ]);
  expect(remarks.map(({ number, id }) => [number, id])).toEqual([
    [1, "on the whole page"],
    [2, "high"],
    [3, "right of it"],
    [4, "low"],
    [5, "on the portfolio"],
    [6, "on the screenshot"],
  ]);
  expect(sheets.map(({ id, title, remarks: own }) => [id, title, own.length])).toEqual([
    ["resume-1", "Resume, page 1 of 2", 4],
    ["resume-2", "Resume, page 2 of 2", 0],
    ["portfolio-1", "Portfolio", 1],
    ["screenshot-2", "Screenshot 2", 1],
  ]);
});

test("a remark has the same number whichever pages are rendered", () => {
  const all = [
    remark("first", { target: onPage("resume", 1), area: at(0.1, 0.2) }),
    remark("second", { target: onPage("resume", 2), area: at(0.1, 0.2) }),
    remark("third", { target: onPage("portfolio", 1), area: null }),
    remark("fourth", { target: { kind: "image", imageId: "shot" } }),
    remark("fifth", { target: null }),
  ];
  const subsets = pages.reduce<PageView[][]>(
    (sets, next) => [...sets, ...sets.map((chosen) => [...chosen, next])],
    [[]],
  );
  expect(subsets).toHaveLength(8);
  for (const rendered of subsets) {
    const marked = buildMarkedSheets(rendered, screenshots, all);
    expect(marked.remarks.map(({ number, id }) => [number, id])).toEqual([
      [1, "first"],
      [2, "second"],
      [3, "third"],
      [4, "fourth"],
      [5, "fifth"],
    ]);
    const placed = [...marked.sheets.flatMap((sheet) => sheet.remarks), ...marked.unpinned];
    expect(new Set(placed)).toEqual(new Set(marked.remarks));
  }
});

test("a remark stays, with its number, when its screenshot or page is missing", () => {
  const { unpinned, remarks } = buildMarkedSheets(pages, screenshots, [
    remark("removed", { target: null }),
    remark("past the last picture", { target: onPage("portfolio", 61) }),
    remark("another screenshot", { target: { kind: "image", imageId: "gone" } }),
    remark("placed", { target: onPage("resume", 2) }),
  ]);
  expect(unpinned.map(({ number, id }) => [number, id])).toEqual([
    [2, "past the last picture"],
    [3, "another screenshot"],
    [4, "removed"],
  ]);
  expect(remarks).toHaveLength(4);
});

test("the first things are the reviewer's choice, or else the first three must-fixes", () => {
  const numbered = (all: Remark[]) => buildMarkedSheets(pages, [], all).remarks;
  const musts = ["a", "b", "c", "d"].map((id) => remark(id, { severity: "must" }));
  expect(selectFirstThings(numbered(musts)).map(({ id }) => id)).toEqual(["a", "b", "c"]);
  const chosen = [remark("second", { rank: 2 }), remark("first", { rank: 1 }), ...musts];
  expect(selectFirstThings(numbered(chosen)).map(({ id }) => id)).toEqual(["first", "second"]);
  expect(selectFirstThings(numbered([remark("idea", { severity: "idea" })]))).toEqual([]);
});

test("strengths are counted, but need no action", () => {
  const all = [remark("one", { severity: "keep" }), remark("other", { severity: "must" })];
  expect(countBySeverity(all)).toEqual({ must: 1, should: 0, idea: 0, keep: 1 });
  expect(all.map(isActionable)).toEqual([false, true]);
});

test("a step leads to the next visible remark, and from the last to the first", () => {
  const visible = ["one", "two", "three"];
  expect(findAdjacentRemark(visible, null, 1)).toBe("one");
  expect(findAdjacentRemark(visible, null, -1)).toBe("three");
  expect(findAdjacentRemark(visible, "one", 1)).toBe("two");
  expect(findAdjacentRemark(visible, "three", 1)).toBe("one");
  expect(findAdjacentRemark(visible, "one", -1)).toBe("three");
  expect(findAdjacentRemark(visible, "not shown", 1)).toBe("one");
  expect(findAdjacentRemark([], null, 1)).toBeUndefined();
});

function remark(id: string, different: Partial<Remark> = {}): Remark {
  return {
    id,
    target: onPage("resume", 1),
    area: at(0.1, 0.1),
    severity: "should",
    criterion: null,
    text: id,
    quote: null,
    suggestion: null,
    rank: null,
    version: 1,
    ...different,
  };
}

function onPage(part: PageView["part"], number: number): Remark["target"] {
  return { kind: "page", part, page: number };
}

function at(x: number, y: number): Remark["area"] {
  return { x, y, width: 0, height: 0 };
}
