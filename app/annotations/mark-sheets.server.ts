import { type Part, partNames } from "../reviews/rubric.ts";
import type { Marked, NumberedRemark, Sheet } from "./marked.ts";
import { type PinnedArea, getPinPositions } from "./pin-positions.ts";
import { getNumbers, sortByReadingOrder } from "./reading-order.ts";
import type { PageView, Remark, ScreenshotView, Target } from "./rules.ts";

/** A screenshot with the data that its remarks need; also used by the example. */
export type Screenshot = Omit<ScreenshotView, "isComing">;

/** Numbers remarks in reading order and groups them by sheet. Some pages may not be rendered yet. */
export function buildMarkedSheets(
  pages: PageView[],
  screenshots: Screenshot[],
  remarks: Remark[],
): Marked {
  const imageIds = screenshots.map(({ id }) => id);
  const sorted = sortByReadingOrder(remarks, imageIds);
  const numbers = getNumbers(sorted);
  const numbered = sorted.map((remark, index): NumberedRemark => ({
    ...remark,
    number: numbers[index]!,
  }));
  const placed = new Set<NumberedRemark>();
  const sheets = [...toPageSheets(pages), ...toScreenshotSheets(screenshots)].map(
    ({ target, ...sheet }): Sheet => {
      const own = numbered.filter((remark) => isRemarkOnSheet(remark, target));
      for (const remark of own) placed.add(remark);
      return {
        ...sheet,
        remarks: own,
        pins: getPinPositions(listPinnedAreas(own), sheet.height / sheet.width || 1),
      };
    },
  );
  const unpinned = numbered.filter((remark) => !placed.has(remark));
  return { sheets, unpinned, remarks: numbered };
}

function listPinnedAreas(remarks: NumberedRemark[]): PinnedArea[] {
  return remarks.flatMap(({ id, area }) => (area ? [{ id, area }] : []));
}

type UnmarkedSheet = Omit<Sheet, "remarks" | "pins"> & { target: Target };

function toPageSheets(pages: PageView[]): UnmarkedSheet[] {
  const count = (part: Part) => pages.filter((page) => page.part === part).length;
  return pages.map(({ part, number, width, height, bands }) => ({
    id: `${part}-${number}`,
    title:
      count(part) > 1 ? `${partNames[part]}, page ${number} of ${count(part)}` : partNames[part],
    caption: null,
    width,
    height,
    bands,
    href: null,
    target: { kind: "page", part, page: number },
  }));
}

function toScreenshotSheets(screenshots: Screenshot[]): UnmarkedSheet[] {
  return screenshots.map(({ id, number, ...shot }) => ({
    ...shot,
    id: `screenshot-${number}`,
    title: `Screenshot ${number}`,
    target: { kind: "image", imageId: id },
  }));
}

function isRemarkOnSheet({ target }: Remark, sheet: Target): boolean {
  if (target?.kind === "page")
    return sheet.kind === "page" && sheet.part === target.part && sheet.page === target.page;
  return target !== null && sheet.kind === "image" && sheet.imageId === target.imageId;
}
