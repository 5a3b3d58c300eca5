/** The outcomes of earlier remarks in a second look; safe for the browser. */
import { partNames } from "../../reviews/rubric.ts";
import type { Area, PageBand, PageView, Target } from "../rules.ts";

export const outcomes = {
  solved: { label: "Solved", tone: "success" },
  partly: { label: "Partly", tone: "info" },
  open: { label: "Still open", tone: "danger" },
} as const;

export type Outcome = keyof typeof outcomes;

/** A page of the new files, and an area of it; all of the page without one. */
export type Place = { target: Extract<Target, { kind: "page" }>; area: Area | null };

/** The saved outcome of an earlier remark. */
export type SavedOutcome = {
  /** Null until the reviewer has decided. */
  outcome: Outcome | null;
  /** A sentence for the customer; "" for none. */
  note: string;
  /** Null until the reviewer has confirmed or chosen one. */
  place: Place | null;
  /** The number of saves. A change names the version that it is based on. 0 before the first. */
  version: number;
};

export const blankOutcome: SavedOutcome = { outcome: null, note: "", place: null, version: 0 };

/** A place that was found for an earlier remark, for the reviewer to confirm. */
export type Proposal = Place & {
  /** True if the same words are there; false if it is only the same part of the page. */
  hasSameWords: boolean;
};

export const maxNoteLength = 300;

export const outcomeMessages = {
  unknown: "Please choose Solved, Partly or Still open",
  noteTooLong: `Please keep this within ${maxNoteLength} characters`,
  placeUnknown: "Please choose a page of this review",
  changed: "This was changed in another tab or window.",
} as const;

/** Checks whether the reviewer has finished an outcome: all but a solved remark need a sentence. */
export function isOutcomeComplete({ outcome, note }: Pick<SavedOutcome, "outcome" | "note">) {
  return outcome !== null && (outcome === "solved" || note.trim() !== "");
}

/** Formats the outcome of all: "11 of 14 solved". */
export function formatSolvedCount(all: readonly { outcome: Outcome | null }[]): string {
  const solved = all.filter(({ outcome }) => outcome === "solved").length;
  return `${solved} of ${all.length} solved`;
}

/** A part of a page, with the pictures that it needs. */
export type Crop = {
  /** Its page: "Resume, page 2". */
  label: string;
  /** The page's width divided by its height. */
  ratio: number;
  /** The shown part of the page, in fractions of it. */
  frame: Area;
  /** The marked area; null without one. */
  area: Area | null;
  bands: PageBand[];
};

/** A page that can be cropped. Screenshots without bands cannot. */
type CroppedPage = { label: string; width: number; height: number; bands: PageBand[] };

/** Builds the part of a page around an area, or its upper part without one. */
export function buildCrop({ label, width, height, bands }: CroppedPage, area: Area | null): Crop {
  const ratio = width / height;
  const frame = getFrame(area ?? { x: 0, y: 0, width: 1, height: 0.3 }, ratio);
  const isShown = (band: PageBand) =>
    band.top < frame.y + frame.height && band.top + band.height > frame.y;
  return { label, ratio, frame, area, bands: bands.filter(isShown) };
}

/** Crops a page around a place; null if it isn't rendered. */
export function buildPlaceCrop(pages: readonly PageView[], { target, area }: Place): Crop | null {
  const page = pages.find(({ part, number }) => part === target.part && number === target.page);
  if (!page) return null;
  const count = pages.filter(({ part }) => part === target.part).length;
  const name = partNames[target.part];
  const label = count > 1 ? `${name}, page ${target.page} of ${count}` : name;
  return buildCrop({ ...page, label }, area);
}

/** The margin around an area, and the least size of a crop, in fractions of the page's width. */
const [margin, minWidth, minHeight] = [0.05, 0.6, 0.2];

function getFrame(area: Area, ratio: number): Area {
  const width = Math.min(1, Math.max(minWidth, area.width + 2 * margin));
  const height = Math.min(1, Math.max(minHeight * ratio, area.height + 2 * margin * ratio));
  const center = (start: number, side: number, whole: number) =>
    Math.min(Math.max(0, start + side / 2 - whole / 2), 1 - whole);
  const round = (share: number) => Math.round(share * 1000) / 1000;
  return {
    x: round(center(area.x, area.width, width)),
    y: round(center(area.y, area.height, height)),
    width: round(width),
    height: round(height),
  };
}
