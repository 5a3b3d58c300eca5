/** Converts points and boxes on a page as shown to the page's own space, which may be rotated and cropped. */
import { PDFArray, PDFName, PDFNumber, type PDFPage } from "@cantoo/pdf-lib";
import type { Box } from "../pdf/book.server.ts";
import type { Area } from "../rules.ts";

/** A page's entries about its display. */
type PageFrame = {
  mediaBox: readonly number[] | null;
  cropBox: readonly number[] | null;
  /** In degrees, clockwise. */
  rotate: number;
  /** Points (1/72 inch) per unit of its space. */
  userUnit: number;
};

export type PageSpace = {
  /** The sides of the page as shown, in units of its own space. */
  width: number;
  height: number;
  /** Its clockwise rotation: 0, 90, 180 or 270. */
  turn: Turn;
  /** Units of its space per point. */
  unit: number;
  /** Converts a point, measured in units from the top left corner of the page as shown. */
  point(x: number, y: number): [number, number];
  /** Converts a box measured the same way. */
  box(left: number, top: number, width: number, height: number): Box;
};

export type Turn = 0 | 90 | 180 | 270;

/** The size that PDF readers assume for a page without one: US Letter. */
const letter: Box = [0, 0, 612, 792];

/** Returns the conversions of a page, by the rules of the engine that rendered it. */
export function getPageSpace({ mediaBox, cropBox, rotate, userUnit }: PageFrame): PageSpace {
  const media = normalizeBox(mediaBox) ?? letter;
  const crop = normalizeBox(cropBox);
  const [left, bottom, right, top] = crop ? getCommonBox(media, crop) : media;
  const [width, height] = [right - left, top - bottom];
  const turn = ((((Math.round(rotate / 90) * 90) % 360) + 360) % 360) as Turn;
  const isAcross = turn === 90 || turn === 270;
  const point = (x: number, y: number): [number, number] => {
    if (turn === 90) return [left + y, bottom + x];
    if (turn === 180) return [right - x, bottom + y];
    if (turn === 270) return [right - y, top - x];
    return [left + x, top - y];
  };
  return {
    width: isAcross ? height : width,
    height: isAcross ? width : height,
    turn,
    unit: 1 / (userUnit > 0 ? userUnit : 1),
    point,
    box(x, y, wide, high) {
      const [x1, y1] = point(x, y);
      const [x2, y2] = point(x + wide, y + high);
      return [Math.min(x1, x2), Math.min(y1, y2), Math.max(x1, x2), Math.max(y1, y2)];
    },
  };
}

/** Converts an area in fractions of the page as shown to units from its top left corner. */
export function toPageUnits(
  area: Area,
  { width, height }: Pick<PageSpace, "width" | "height">,
): Area {
  return {
    x: area.x * width,
    y: area.y * height,
    width: area.width * width,
    height: area.height * height,
  };
}

/** Sorts the corners of a rectangle, which may be any two opposite ones; null for an empty rectangle. */
function normalizeBox(corners: readonly number[] | null): Box | null {
  const [x1, y1, x2, y2] = corners ?? [];
  if (![x1, y1, x2, y2].every(Number.isFinite)) return null;
  const box = [
    Math.min(x1!, x2!),
    Math.min(y1!, y2!),
    Math.max(x1!, x2!),
    Math.max(y1!, y2!),
  ] as const;
  return box[0] < box[2] && box[1] < box[3] ? box : null;
}

function getCommonBox(one: Box, other: Box): Box {
  return [
    Math.max(one[0], other[0]),
    Math.max(one[1], other[1]),
    Math.min(one[2], other[2]),
    Math.min(one[3], other[3]),
  ];
}

/** Returns a page's entries about its display, its own or inherited. */
export function getPageFrame({ node }: PDFPage): PageFrame {
  const inherited = (name: string) =>
    node.context.lookup(node.getInheritableAttribute(PDFName.of(name)));
  const corners = (name: string) => {
    const box = inherited(name);
    if (!(box instanceof PDFArray)) return null;
    return Array.from({ length: box.size() }, (_, index) => {
      const value = box.lookup(index);
      return value instanceof PDFNumber ? value.asNumber() : Number.NaN;
    });
  };
  const number = (value: unknown, otherwise: number) =>
    value instanceof PDFNumber ? value.asNumber() : otherwise;
  return {
    mediaBox: corners("MediaBox"),
    cropBox: corners("CropBox"),
    rotate: number(inherited("Rotate"), 0),
    userUnit: number(node.lookup(PDFName.of("UserUnit")), 1),
  };
}
