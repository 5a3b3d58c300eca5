import { PDFHexString, type PDFPage, type PDFRef } from "@cantoo/pdf-lib";
import { criteria } from "../../reviews/rubric.ts";
import { severities } from "../severities.ts";
import type { NumberedRemark } from "../marked.ts";
import { type Book, colors, severityColors } from "../pdf/book.server.ts";
import {
  getPageFrame,
  type PageSpace,
  getPageSpace,
  toPageUnits,
  type Turn,
} from "./page-space.server.ts";

/** The rotation that makes drawings on a page upright. */
const upright: Record<Turn, readonly number[]> = {
  0: [1, 0, 0, 1, 0, 0],
  90: [0, 1, -1, 0, 0, 0],
  180: [-1, 0, 0, -1, 0, 0],
  270: [0, -1, 1, 0, 0, 0],
};

/**
 * Adds each remark to a page as an annotation with its text, and a link from its sign to the full remark. The
 * sign and number are drawn, since PDF readers on phones show no notes.
 */
export function addPins(
  book: Book,
  page: PDFPage,
  remarks: NumberedRemark[],
  author: string,
): void {
  const space = getPageSpace(getPageFrame(page));
  const side = getSignSize(space);
  const onWhole = remarks.filter(({ area }) => area === null);
  for (const remark of remarks) {
    const middle = remark.area
      ? getAreaPinCenter(remark.area, space, side)
      : getPagePinCenter(onWhole.indexOf(remark), onWhole.length, space, side);
    addPin(book, page, { remark, space, side, middle, author });
  }
}

type Pinned = {
  remark: NumberedRemark;
  space: PageSpace;
  /** The size of the sign, in units of the page's space. */
  side: number;
  middle: { x: number; y: number };
  author: string;
};

/** Returns the size of a sign, as a share of the page's width, so that slides and A4 sheets look alike. */
function getSignSize({ width, unit }: PageSpace): number {
  const points = Math.min(72, Math.max(17, (0.036 * width) / unit));
  return Math.min(points * unit, width / 2);
}

/**
 * Returns the place for a pin beside the upper end of an area, where margins and bullets are. On the corner
 * it would cover words of the line above. It is always inside the page.
 */
function getAreaPinCenter(
  area: NonNullable<NumberedRemark["area"]>,
  space: PageSpace,
  side: number,
) {
  const { x, y, width } = toPageUnits(area, space);
  if (width === 0) return clampToPage({ x, y }, space, side);
  return clampToPage({ x: x - side * 0.5, y: y + side * 0.3 }, space, side);
}

/** Returns the place of a pin for the whole page: rows at the upper right corner, by number. */
function getPagePinCenter(index: number, count: number, space: PageSpace, side: number) {
  const step = side * 1.15;
  const perRow = Math.max(1, Math.floor((space.width - side) / step));
  const row = Math.floor(index / perRow);
  const inRow = Math.min(perRow, count - row * perRow);
  const x = space.width - side * 0.8 - (inRow - 1 - (index % perRow)) * step;
  return clampToPage({ x, y: side * 0.8 + row * step }, space, side);
}

function clampToPage(
  { x, y }: { x: number; y: number },
  { width, height }: PageSpace,
  side: number,
) {
  const inside = (at: number, length: number) =>
    Math.max(side / 2, Math.min(at, length - side / 2));
  return { x: inside(x, width), y: inside(y, height) };
}

function addPin(book: Book, page: PDFPage, pinned: Pinned): void {
  const { remark, space, side, middle } = pinned;
  const sign = space.box(middle.x - side / 2, middle.y - side / 2, side, side);
  const isArea = remark.area !== null && remark.area.width > 0;
  const appearance = isArea
    ? buildAreaAppearance(book, pinned)
    : buildPointAppearance(book, pinned);
  book.annotate(
    page,
    book.document.context.obj({
      Type: "Annot",
      Subtype: isArea ? "Square" : "Stamp",
      ...appearance,
      ...(isArea ? {} : { Name: "Remark" }),
      P: page.ref,
      NM: PDFHexString.fromText(`remark-${remark.number}`),
      Contents: PDFHexString.fromText(formatRemarkText(remark)),
      T: PDFHexString.fromText(pinned.author),
      Subj: PDFHexString.fromText(`Remark ${remark.number}: ${severities[remark.severity].label}`),
      C: getColorChannels(remark),
      // 4 means: printed with the page.
      F: 4,
    }),
  );
  book.link(page, sign, `remark-${remark.number}`, `Remark ${remark.number}`);
  const above = 90 * space.unit;
  const [x, y] = space.point(Math.max(0, middle.x - above), Math.max(0, middle.y - above));
  book.addDestination(`pin-${remark.number}`, page, x, y);
}

type Look = { Rect: number[]; AP: { N: PDFRef }; RD?: number[]; BS?: { W: number } };

function buildPointAppearance(book: Book, { remark, space, side, middle }: Pinned): Look {
  const rect = space.box(middle.x - side / 2, middle.y - side / 2, side, side);
  const appearance = book.appearance(side, side, upright[space.turn], (on) =>
    on.sign(side / 2, side / 2, side, remark.severity, remark.number),
  );
  return { Rect: [...rect], AP: { N: appearance } };
}

/** Draws the frame and the sign in one appearance, so that they stay together. */
function buildAreaAppearance(book: Book, { remark, space, side, middle }: Pinned): Look {
  const area = toPageUnits(remark.area!, space);
  const line = side * 0.075;
  const left = Math.min(area.x - line * 1.2, middle.x - side / 2);
  const top = Math.min(area.y - line * 1.2, middle.y - side / 2);
  const right = Math.max(area.x + area.width + line * 1.2, middle.x + side / 2);
  const bottom = Math.max(area.y + area.height + line * 1.2, middle.y + side / 2);
  const [width, height] = [right - left, bottom - top];
  const appearance = book.appearance(width, height, upright[space.turn], (on) => {
    const colour = severityColors[remark.severity];
    const low = bottom - area.y - area.height;
    on.outline(area.x - left, low, area.width, area.height, colour, line);
    on.sign(middle.x - left, bottom - middle.y, side, remark.severity, remark.number);
  });
  const rect = space.box(left, top, width, height);
  const inner = space.box(area.x, area.y, area.width, area.height);
  return {
    Rect: [...rect],
    RD: [inner[0] - rect[0], inner[1] - rect[1], rect[2] - inner[2], rect[3] - inner[3]],
    BS: { W: line },
    AP: { N: appearance },
  };
}

/** Formats the remark as plain text, for the note in PDF readers. */
function formatRemarkText({ severity, criterion, text, quote, suggestion }: NumberedRemark) {
  const about = criterion ? ` · ${criteria[criterion].label}` : "";
  const wording = [
    quote && `${suggestion ? "Before" : "On the page"}: ${quote}`,
    suggestion && `${quote ? "After" : "Suggestion"}: ${suggestion}`,
  ].filter(Boolean);
  return [`${severities[severity].label}${about}`, text, ...wording].join("\n\n");
}

function getColorChannels({ severity }: NumberedRemark): number[] {
  const colour = colors[severityColors[severity]];
  return colour.match(/[\da-f]{2}/g)!.map((channel) => parseInt(channel, 16) / 255);
}
