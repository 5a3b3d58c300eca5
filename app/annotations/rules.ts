/** Remarks and their areas; safe for the browser. */
import { formatIndianNumber } from "../platform/numbers.ts";
import type { Criterion, Part } from "../reviews/rubric.ts";
import type { Severity } from "./severities.ts";

/** The target of a remark: a page of the customer's files, or a reviewer's screenshot. */
export type Target =
  | { kind: "page"; part: Part; page: number }
  | { kind: "image"; imageId: string };

/**
 * An area of a target, in fractions from 0 to 1 of its width and height, from the top left corner. An area
 * without width and height is a point.
 */
export type Area = { x: number; y: number; width: number; height: number };

export type Remark = {
  /** Generated in the browser, so that saving twice is idempotent. */
  id: string;
  /** Null when its screenshot was removed. */
  target: Target | null;
  /** Null when it is about the whole target. */
  area: Area | null;
  severity: Severity;
  criterion: Criterion | null;
  text: string;
  quote: string | null;
  /** The replacement for the quoted words. */
  suggestion: string | null;
  /** The reviewer's choice of what to do first: 1 to 3. */
  rank: number | null;
  /** Its number for the customer, stored when the review is submitted. Absent before. */
  number?: number;
  /** The number of saves. A change names the version that it is based on. */
  version: number;
};

export const limits = {
  text: 2_000,
  quote: 600,
  suggestion: 600,
  remarks: 200,
  ranks: 3,
  phrases: 100,
  /** Later pages are not rendered. */
  pages: 60,
};

/** A rendered page, with pictures in bands from top to bottom; sides in points (1/72 inch). */
export type PageView = {
  part: Part;
  number: number;
  width: number;
  height: number;
  /** The width of its large picture in pixels, at which it is sharpest. 1,600 if absent. */
  pixels?: number;
  bands: PageBand[];
};

/** A reviewer's screenshot that remarks can be pinned to. */
export type ScreenshotView = Omit<PageView, "part"> & {
  id: string;
  /** Its position among all of the review's screenshots, from 1. */
  number: number;
  caption: string | null;
  /**
   * The address of the original. WebP and GIF pictures are not rendered and have no bands. Sides are 0 until
   * they are known.
   */
  href: string;
  /** True while it is being rendered or measured. */
  isComing: boolean;
};

/** A full-width strip of a page. Places are fractions of the page's height. */
export type PageBand = {
  top: number;
  height: number;
  /** Addresses of the picture, 1,600 and 800 pixels wide. */
  large: string;
  small: string;
};

/** Formats a target for forms and addresses: "resume-2", "portfolio-1", "image-<id>". */
export function formatTargetKey(target: Target): string {
  return target.kind === "page" ? `${target.part}-${target.page}` : `image-${target.imageId}`;
}

/** Parses a target from its key; any other text gives null. */
export function parseTarget(key: string): Target | null {
  const page = /^(resume|portfolio)-([1-9]\d?)$/.exec(key);
  if (page) return { kind: "page", part: page[1] as Part, page: Number(page[2]) };
  const image = /^image-([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/.exec(key);
  return image ? { kind: "image", imageId: image[1]! } : null;
}

/** Formats an area for a form field: "0.1,0.2,0.5,0.05"; "" for the whole target. */
export function formatArea(area: Area | null): string {
  return area ? [area.x, area.y, area.width, area.height].join(",") : "";
}

/** Parses an area from a form field. Invalid numbers become NaN, which {@link normalizeArea} refuses. */
export function parseArea(field: string): Area | null {
  if (field === "") return null;
  const [x = NaN, y = NaN, width = NaN, height = NaN] = field.split(",").map(Number);
  return { x, y, width, height };
}

/**
 * The number of grid steps per side. Rounding to a grid keeps an area equal after it is sent, stored and
 * read.
 */
const grain = 100_000;

/** Clamps an area to its target and rounds it to a grid. Null for an area outside the target. */
export function normalizeArea({ x, y, width, height }: Area): Area | null {
  if (![x, y, width, height].every(Number.isFinite)) return null;
  const onGrid = (side: number) => Math.round(Math.min(Math.max(side, 0), 1) * grain) / grain;
  const [left, top] = [onGrid(x), onGrid(y)];
  return {
    x: left,
    y: top,
    width: onGrid(Math.min(onGrid(x + width), 1) - left),
    height: onGrid(Math.min(onGrid(y + height), 1) - top),
  };
}

export const remarkMessages = {
  textMissing: "Please write the remark",
  textTooLong: `Please keep the remark within ${formatIndianNumber(limits.text)} characters`,
  quoteTooLong: `Please keep this within ${limits.quote} characters`,
  placeUnknown: "Please choose a page or a screenshot of this review",
  severityMissing: "Please say how much it matters",
  criterionUnknown: "Please choose a criterion of this review",
  changed: "This remark was changed in another tab or window.",
  deleted: "This remark was deleted in another tab or window.",
  tooMany: `You've reached the limit of ${limits.remarks} remarks.`,
  tooManyPhrases: `You have ${limits.phrases} saved phrases; please delete one first.`,
  scoreUnknown: "Please choose a score from 1 to 5",
} as const;
