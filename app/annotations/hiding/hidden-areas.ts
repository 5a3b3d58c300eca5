/** The areas of pages that people with a link do not see; safe for the browser. */
import type { Part } from "../../reviews/rubric.ts";
import type { Area, PageView } from "../rules.ts";

/** An area of a page that is hidden from people with the link. */
export type HiddenArea = Area & { part: Part; page: number };

/** Checks whether a hidden area is a complete page. */
export function isWholePage({ x, y, width, height }: HiddenArea): boolean {
  return x === 0 && y === 0 && width === 1 && height === 1;
}

export function toWholePageArea({ part, number }: PageView): HiddenArea {
  return { part, page: number, x: 0, y: 0, width: 1, height: 1 };
}

/** Returns the hidden areas drawn by hand: no whole pages, and none found in the text. */
export function filterDrawnAreas(
  hidden: readonly HiddenArea[],
  suggestions: readonly HiddenArea[],
): HiddenArea[] {
  const isFound = ({ part, page, x, y }: HiddenArea) =>
    suggestions.some((one) => one.part === part && one.page === page && one.x === x && one.y === y);
  return hidden.filter((area) => !isWholePage(area) && !isFound(area));
}

export function isAreaOnPage(
  { part, page }: HiddenArea,
  { part: other, number }: PageView,
): boolean {
  return part === other && page === number;
}

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

function getWidestGap(gaps: number[], max: number): number {
  return Math.max(0, ...gaps.filter((gap) => gap <= max));
}
