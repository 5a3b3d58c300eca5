/** The shared view of a review; safe for the browser. */
import type { PageView } from "../rules.ts";

/** A copied page, without the addresses of the original file. */
export type SharedPage = Pick<PageView, "part" | "number" | "width" | "height"> & {
  bands: { top: number; height: number }[];
};

export const shareDays = 30;

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
    bands: bands.map((position, band) => ({
      ...position,
      large: `/shared/${token}/${getSharedPictureName(index, band, "large")}`,
      small: `/shared/${token}/${getSharedPictureName(index, band, "small")}`,
    })),
  }));
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
  const parts = [
    ...(pages > 0 ? ["the pages"] : []),
    ...(remarks > 0 ? ["the remarks"] : []),
    ...scores,
  ];
  if (parts.length === 0)
    return `${reason} and no scores, so the link shows nothing${hasFeedback ? " unless you add the written feedback" : ""}.`;
  return `${reason}, so the link shows only ${parts.join(" and ")}${hasFeedback ? ", and the written feedback if you add it" : ""}.`;
}
