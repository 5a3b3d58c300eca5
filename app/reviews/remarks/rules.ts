/** What a remark is, and where it stands; safe for the browser. */
import type { Criterion, Part } from "../rubric.ts";

export const severities = {
  must: { label: "Must fix", plural: "must-fixes" },
  should: { label: "Should fix", plural: "should-fixes" },
  idea: { label: "Idea", plural: "ideas" },
  keep: { label: "Keep: this is strong", plural: "strengths" },
} as const;

export type Severity = keyof typeof severities;

/** What a remark is pinned to: a page of what was handed in, or a screenshot of the reviewer's. */
export type Target =
  | { kind: "page"; part: Part; page: number }
  | { kind: "image"; imageId: string };

/**
 * A place on its target, in fractions of its width and height from the top left corner, 0 to 1. One
 * without width and height is a point.
 */
export type Area = { x: number; y: number; width: number; height: number };

export type Remark = {
  /** Made in the browser, so that saving it twice makes one. */
  id: string;
  /** Null when its screenshot was removed: the remark has lost its place. */
  target: Target | null;
  /** Null when it is about the whole target. */
  area: Area | null;
  severity: Severity;
  criterion: Criterion | null;
  text: string;
  /** Words of the page that it is about. */
  quote: string | null;
  /** What to write instead of the quoted words. */
  suggestion: string | null;
  /** The reviewer's choice of what to do first: 1 to 3. */
  rank: number | null;
  /** Counts its changes; a change names the version that it was made from. */
  version: number;
};

export const limits = { text: 2_000, quote: 600, suggestion: 600, remarks: 200, ranks: 3 };

/** One rendered page, its pictures in bands from top to bottom; sides in points (1/72 inch). */
export type PageView = {
  part: Part;
  number: number;
  width: number;
  height: number;
  bands: PageBand[];
};

/** A strip of a page over its whole width. Places are fractions of the page's height. */
export type PageBand = {
  top: number;
  height: number;
  /** Addresses of the picture at 1,600 and at 800 pixels of width. */
  large: string;
  small: string;
};
