/** The shared view of a review; safe for the browser. */
import type { Area, PageView } from "../rules.ts";
import type { Part } from "../../reviews/rubric.ts";

/** A place on a page that is hidden from people with the link. */
export type HiddenArea = Area & { part: Part; page: number };

/** A page as it was copied: its pictures have no address of the file that they come from. */
export type SharedPage = Pick<PageView, "part" | "number" | "width" | "height"> & {
  bands: { top: number; height: number }[];
};

export const shareDays = 30;
/** In widths of the page: what shows between two areas that are no further apart is a line, or half a letter. */
const hairline = 0.004;

/**
 * Areas of one page, each reaching up to its neighbours to the right and below where nothing but a hairline would
 * be left between them.
 *
 * @param ratio width by height of the page
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

/** "2-0-large.webp": the first band of the second page that is shared. */
export function getSharedPictureName(
  index: number,
  band: number,
  width: "large" | "small",
): string {
  return `${index + 1}-${band}-${width}.webp`;
}

/** The pages of a share with the addresses of their pictures. */
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
