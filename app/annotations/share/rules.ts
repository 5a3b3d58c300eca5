/** The shared view of a review; safe for the browser. */
import type { Area, PageView } from "../rules.ts";
import type { Part } from "../../reviews/rubric.ts";

/** A place on a page that is hidden from people with the link. */
export type HiddenArea = Area & { part: Part; page: number };

/** A copied page, without the addresses of the original file. */
export type SharedPage = Pick<PageView, "part" | "number" | "width" | "height"> & {
  bands: { top: number; height: number }[];
};

export const shareDays = 30;
/** Gaps up to this share of the page's width are closed, since they show only a line or part of a letter. */
const hairline = 0.004;

/**
 * Extends the areas of a page to their neighbors on the right and below, if only a hairline is between them.
 *
 * @param ratio the page's width divided by its height
 */
export function closeHairlineGaps(areas: readonly Area[], ratio: number): Area[] {
  return areas.map((area) => {
    const { x, y, width, height } = area;
    const gapsTo = (other: Area) => [other.x - x - width, other.y - y - height] as const;
    const besides = areas
      .filter((other) => isInSameRows(area, other))
      .map((other) => gapsTo(other)[0]);
    const below = areas
      .filter((other) => isInSameColumns(area, other))
      .map((other) => gapsTo(other)[1]);
    return {
      x,
      y,
      width: width + getWidestGap(besides, hairline),
      height: height + getWidestGap(below, hairline * ratio),
    };
  });
}

/** Checks whether two areas share rows of the page. */
function isInSameRows(one: Area, other: Area): boolean {
  return one.y < other.y + other.height && other.y < one.y + one.height;
}

/** Checks whether two areas share columns of the page. */
function isInSameColumns(one: Area, other: Area): boolean {
  return one.x < other.x + other.width && other.x < one.x + one.width;
}

function getWidestGap(gaps: number[], most: number): number {
  return Math.max(0, ...gaps.filter((gap) => gap <= most));
}

/** Returns the name of a shared picture: "2-0-large.webp" is the first band of the second shared page. */
export function getSharedPictureName(
  index: number,
  band: number,
  width: "large" | "small",
): string {
  return `${index + 1}-${band}-${width}.webp`;
}

/** Adds picture addresses to the pages of a share. */
export function toSharedPageViews(token: string, pages: readonly SharedPage[]): PageView[] {
  return pages.map(({ bands, ...page }, index) => ({
    ...page,
    bands: bands.map((place, band) => ({
      ...place,
      large: `/shared/${token}/${getSharedPictureName(index, band, "large")}`,
      small: `/shared/${token}/${getSharedPictureName(index, band, "small")}`,
    })),
  }));
}

/** Checks whether a hidden area is a complete page. */
export function isWholePage({ x, y, width, height }: HiddenArea): boolean {
  return x === 0 && y === 0 && width === 1 && height === 1;
}

/** The contents that a link to a review can show. */
export type Shareable = {
  /** The number of its pages, and of the remarks pinned to them. */
  pages: number;
  remarks: number;
  hasScores: boolean;
  hasFeedback: boolean;
};

/** Says in a sentence what a link will show, if its owner hides nothing. */
export function describeLink({ pages, remarks, hasScores, hasFeedback }: Shareable): string {
  const scores = hasScores ? ["the scores"] : [];
  if (pages > 0 && remarks > 0)
    return `The link shows ${["the pages with the remarks pinned to them", ...scores].join(", and ")}.`;
  const reason =
    pages > 0 ? "This review has no pinned remarks" : "This review has no pages to show";
  const shown = [
    ...(pages > 0 ? ["the pages"] : []),
    ...(remarks > 0 ? ["the remarks"] : []),
    ...scores,
  ];
  if (shown.length === 0)
    return `${reason} and no scores, so the link shows nothing${hasFeedback ? " unless you add the written feedback" : ""}.`;
  return `${reason}, so the link shows only ${shown.join(" and ")}${hasFeedback ? ", and the written feedback if you add it" : ""}.`;
}
