/** Groups remarks by page, in reading order and with their numbers; safe for the browser. */
import { sortByReadingOrder } from "./reading-order.ts";
import type { PageBand, PageView, Remark, ScreenshotView, Target } from "./rules.ts";
import type { Severity } from "./severities.ts";
import { type Part, partNames } from "../reviews/rubric.ts";

/** A screenshot with the data that its remarks need; also used by the example. */
export type Screenshot = Omit<ScreenshotView, "isComing">;

/** Shapes of severities, as paths around the origin. They differ, so that color is not the only cue. */
export const pinShapes: Record<Severity, string> = {
  must: "M0-16 16 0 0 16-16 0z",
  should: "M-12-12h24v24h-24z",
  idea: "M0-13a13 13 0 0 1 0 26 13 13 0 0 1 0-26z",
  keep: "M-5.5-13.5h11l8 8v11l-8 8h-11l-8-8v-11z",
};

export type NumberedRemark = Remark & { number: number };

/** A page or a screenshot that remarks are pinned to. */
export type Sheet = {
  /** Its name in links, such as "resume-1". */
  id: string;
  title: string;
  caption: string | null;
  width: number;
  height: number;
  bands: PageBand[];
  /** The address of a screenshot's original, shown while there are no bands. */
  href: string | null;
  /** Remarks on the whole sheet first, then from top to bottom. */
  remarks: NumberedRemark[];
};

export type Marked = {
  sheets: Sheet[];
  /** Remarks whose screenshot was removed, or whose page is not shown. */
  placeless: NumberedRemark[];
  /** All remarks by number. */
  remarks: NumberedRemark[];
};

/** Numbers remarks in reading order and groups them by sheet. Some pages may not be rendered yet. */
export function buildMarkedSheets(
  pages: PageView[],
  screenshots: Screenshot[],
  remarks: Remark[],
): Marked {
  const imageIds = screenshots.map(({ id }) => id);
  const numbered = sortByReadingOrder(remarks, imageIds).map((remark, index): NumberedRemark => ({
    ...remark,
    number: index + 1,
  }));
  const placed = new Set<NumberedRemark>();
  const sheets = [...toPageSheets(pages), ...toScreenshotSheets(screenshots)].map(
    ({ target, ...sheet }): Sheet => {
      const own = numbered.filter((remark) => isRemarkOnSheet(remark, target));
      for (const remark of own) placed.add(remark);
      return { ...sheet, remarks: own };
    },
  );
  const placeless = numbered.filter((remark) => !placed.has(remark));
  return { sheets, placeless, remarks: numbered };
}

type UnmarkedSheet = Omit<Sheet, "remarks"> & { target: Target };

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

/** Selects the first things to do: the reviewer's choice in its order, else the first three must-fixes. */
export function selectFirstThings(remarks: NumberedRemark[]): NumberedRemark[] {
  const chosen = remarks.filter(({ rank }) => rank !== null);
  if (chosen.length > 0) return chosen.toSorted((one, other) => one.rank! - other.rank!);
  return remarks.filter(({ severity }) => severity === "must").slice(0, 3);
}

const counts = ["No", "One", "Two", "Three"];

/** Formats the heading of the first things: "Three things first". */
export function formatFirstThingsTitle({ length }: NumberedRemark[]): string {
  return length === 1 ? "One thing first" : `${counts[length]} things first`;
}

export function extractFirstSentence(text: string): string {
  return /^.+?[.!?](?=\s|$)/s.exec(text)?.[0] ?? text;
}

export function countBySeverity(remarks: Remark[]): Record<Severity, number> {
  const counts = { must: 0, should: 0, idea: 0, keep: 0 };
  for (const { severity } of remarks) counts[severity] += 1;
  return counts;
}

/** Checks whether a remark needs action. Strengths do not. */
export function isActionable({ severity }: Remark): boolean {
  return severity !== "keep";
}

/** Finds the remark that a step leads to from the current one; from none, the first or the last. */
export function findAdjacentRemark(
  shown: string[],
  current: string | null,
  step: 1 | -1,
): string | undefined {
  const place = current === null ? -1 : shown.indexOf(current);
  if (place < 0) return step > 0 ? shown[0] : shown.at(-1);
  return shown[(place + step + shown.length) % shown.length];
}
