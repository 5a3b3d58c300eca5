import {
  type PDFArray,
  type PDFDict,
  type PDFDocument,
  PDFHexString,
  PDFName,
  type PDFPage,
  type PDFRef,
} from "@cantoo/pdf-lib";
import { pinShapes, type Severity } from "../severities.ts";
import { type Faces, openFaces, type Shaped, formatCoordinate } from "./faces.server.ts";

/** The sides of a box: left, bottom, right, top. */
export type Box = readonly [number, number, number, number];

/** A document under construction. Drawings and links are written at the end. */
export type Book = {
  document: PDFDocument;
  faces: Faces;
  /** Draws on a page of our own. */
  drawOn(page: PDFPage): Drawing;
  /** Draws the appearance of an annotation, in a box from 0, 0. */
  appearance(
    width: number,
    height: number,
    matrix: readonly number[],
    draw: (on: Drawing) => void,
  ): PDFRef;
  annotate(page: PDFPage, annotation: PDFDict): void;
  /** Names a destination on a page, in the page's own space. */
  addDestination(name: string, page: PDFPage, x: number, y: number): void;
  /**
   * Links a box on a page to a named destination, which can be named later. Links to names that are never used are
   * left out.
   *
   * @param description the link's text for screen readers
   */
  link(page: PDFPage, box: Box, to: string, description: string): void;
  /** Returns a named destination; null for an unknown name. */
  destination(name: string): PDFArray | null;
  finish(): void;
};

export async function openBook(document: PDFDocument): Promise<Book> {
  const { context } = document;
  const faces = await openFaces(document);
  const fonts = context.obj({});
  const fontsRef = context.register(fonts);
  const drawings = new Map<PDFPage, Drawing>();
  const forms: { ref: PDFRef; drawing: Drawing; entries: Record<string, unknown> }[] = [];
  const annotations = new Map<PDFPage, PDFRef[]>();
  const links: { page: PDFPage; box: Box; to: string; description: string }[] = [];
  const destinations = new Map<string, { page: PDFPage; x: number; y: number }>();

  const book: Book = {
    document,
    faces,
    drawOn(page) {
      const drawing = drawings.get(page) ?? createDrawing(document, faces);
      drawings.set(page, drawing);
      return drawing;
    },
    appearance(width, height, matrix, draw) {
      const drawing = createDrawing(document, faces);
      draw(drawing);
      const ref = context.nextRef();
      const entries = { BBox: [0, 0, width, height], Matrix: [...matrix] };
      forms.push({ ref, drawing, entries });
      return ref;
    },
    annotate(page, annotation) {
      const own = annotations.get(page) ?? [];
      annotations.set(page, [...own, context.register(annotation)]);
    },
    addDestination: (name, page, x, y) => void destinations.set(name, { page, x, y }),
    link: (page, box, to, description) => void links.push({ page, box, to, description }),
    destination(name) {
      const target = destinations.get(name);
      return target
        ? context.obj([target.page.ref, PDFName.of("XYZ"), target.x, target.y, null])
        : null;
    },
    finish() {
      for (const { page, box, to, description } of links) {
        const destination = book.destination(to);
        if (destination)
          book.annotate(page, buildLinkAnnotation(document, box, destination, description));
      }
      for (const [page, drawing] of drawings) {
        page.node.set(
          PDFName.of("Contents"),
          context.register(context.flateStream(drawing.operators())),
        );
        page.node.set(PDFName.of("Resources"), drawing.resources(fontsRef));
      }
      for (const { ref, drawing, entries } of forms) {
        const resources = drawing.resources(fontsRef);
        const form = { Type: "XObject", Subtype: "Form", ...entries, Resources: resources };
        context.assign(ref, context.flateStream(drawing.operators(), form));
      }
      for (const [page, added] of annotations) {
        // Copied, since pages can share one list.
        const before = page.node.Annots()?.asArray() ?? [];
        page.node.set(PDFName.of("Annots"), context.obj([...before, ...added]));
      }
      for (const { name, font } of faces.inUse()) fonts.set(PDFName.of(name), font.ref);
    },
  };
  return book;
}

function buildLinkAnnotation(
  { context }: PDFDocument,
  box: Box,
  destination: PDFArray,
  description: string,
): PDFDict {
  return context.obj({
    Type: "Annot",
    Subtype: "Link",
    Rect: [...box],
    Border: [0, 0, 0],
    F: 4,
    Dest: destination,
    Contents: PDFHexString.fromText(description),
  });
}

/** The colors of the light theme (`app/ui/brand/tokens.css`), as in print. */
export const colors = {
  paper: "#fbfaf5",
  ink: "#17211f",
  soft: "#46524e",
  faint: "#59645f",
  line: "#d0cdbf",
  accent: "#bf3413",
  link: "#0d5687",
  success: "#22633a",
} as const;
export type Color = keyof typeof colors;

/** The colors of severity signs, as on the screen. */
export const severityColors: Record<Severity, Color> = {
  must: "accent",
  should: "ink",
  idea: "link",
  keep: "success",
};

/** The side of the square that sign shapes are drawn in, in units around its center. */
const signSide = 36;

/** Drawing commands for a page or an appearance, measured in its units from the lower left corner. */
export type Drawing = {
  text(x: number, y: number, shaped: Shaped, size: number, colour: Color): void;
  rectangle(x: number, y: number, width: number, height: number, colour: Color): void;
  /** Draws a colored line on a wider paper-colored one, so that it is visible on any page. */
  outline(x: number, y: number, width: number, height: number, colour: Color, line: number): void;
  /** Draws a severity's sign around its center, with its number. */
  sign(x: number, y: number, side: number, severity: Severity, number: number | null): void;
  image(ref: PDFRef, x: number, y: number, width: number, height: number): void;
  /** Returns the drawing operators and the resources that they need. */
  operators(): string;
  resources(fonts: PDFRef): PDFDict;
};

function createDrawing(document: PDFDocument, faces: Faces): Drawing {
  const operators: string[] = [];
  const images: PDFRef[] = [];
  const text: Drawing["text"] = (x, y, shaped, size, colour) =>
    operators.push(
      `BT ${formatRgb(colour)} rg 1 0 0 1 ${formatCoordinates(x, y)} Tm`,
      faces.show(shaped, size),
      "ET",
    );
  return {
    text,
    rectangle: (x, y, width, height, colour) =>
      operators.push(`${formatRgb(colour)} rg ${formatCoordinates(x, y, width, height)} re f`),
    outline(x, y, width, height, colour, line) {
      const box = formatCoordinates(x, y, width, height);
      operators.push(`${formatRgb("paper")} RG ${formatCoordinate(line * 2.2)} w ${box} re S`);
      operators.push(`${formatRgb(colour)} RG ${formatCoordinate(line)} w ${box} re S`);
    },
    sign(x, y, side, severity, number) {
      const scale = side / signSide;
      operators.push(
        `q ${formatCoordinate(scale)} 0 0 ${formatCoordinate(-scale)} ${formatCoordinates(x, y)} cm`,
      );
      operators.push(...buildSignOperators(severity), "Q");
      if (number === null) return;
      const digits = faces.shape(String(number), "bold");
      const size = side * (number > 99 ? 0.3 : 0.38);
      const isHollow = severity === "idea";
      // Digits have the height of capitals: 0.7 of the font size.
      const [left, base] = [x - (digits.width * size) / 2, y - size * 0.35];
      text(left, base, digits, size, isHollow ? "link" : "paper");
    },
    image(ref, x, y, width, height) {
      images.push(ref);
      operators.push(
        `q ${formatCoordinates(width)} 0 0 ${formatCoordinates(height, x, y)} cm /Picture${images.length} Do Q`,
      );
    },
    operators: () => operators.join("\n"),
    resources: (fonts: PDFRef) =>
      document.context.obj({
        Font: fonts,
        XObject: Object.fromEntries(images.map((ref, index) => [`Picture${index + 1}`, ref])),
      }),
  };
}

function buildSignOperators(severity: Severity): string[] {
  const path = buildPathOperators(pinShapes[severity]);
  const colour = formatRgb(severityColors[severity]);
  const paper = formatRgb("paper");
  if (severity !== "idea") return [`${paper} RG 5 w ${path} S`, `${colour} rg ${path} f`];
  return [`${paper} RG 6 w ${path} S`, `${paper} rg ${colour} RG 2.5 w ${path} B`];
}

/**
 * Converts an SVG path to operators. It supports only the commands in the sign shapes: moves, lines, and half
 * circles, each as two curves.
 */
function buildPathOperators(path: string): string {
  const operators: string[] = [];
  let [x, y] = [0, 0];
  for (const [, command = "", text = ""] of path.matchAll(/([a-zA-Z])([^a-zA-Z]*)/g)) {
    const values = [...text.matchAll(/-?[\d.]+/g)].map(([number]) => Number(number));
    const to = (nextX: number, nextY: number, operator: string) => {
      [x, y] = [nextX, nextY];
      operators.push(`${formatCoordinates(x, y)} ${operator}`);
    };
    if (command === "M") {
      to(values[0]!, values[1]!, "m");
      // Further points of a move command are lines.
      for (let at = 2; at < values.length; at += 2) to(values[at]!, values[at + 1]!, "l");
    } else if (command === "h") to(x + values[0]!, y, "l");
    else if (command === "v") to(x, y + values[0]!, "l");
    else if (command === "l")
      for (let at = 0; at < values.length; at += 2) to(x + values[at]!, y + values[at + 1]!, "l");
    else if (command === "a") {
      for (let at = 0; at < values.length; at += 7) {
        operators.push(...buildHalfCircle(x, y, values[at]!, values[at + 6]!));
        y += values[at + 6]!;
      }
    } else if (command === "z") operators.push("h");
    else throw new Error(`A sign is drawn with the unknown command "${command}".`);
  }
  return operators.join(" ");
}

/** The handle length that makes a curve a quarter circle. */
const handle = 0.5523;

/**
 * Builds a half circle from a point to the one straight below or above it, clockwise if y grows downwards.
 */
function buildHalfCircle(x: number, y: number, radius: number, by: number): string[] {
  const side = Math.sign(by) * radius;
  const far = x + side;
  const middle = y + by / 2;
  const arm = side * handle;
  return [
    `${formatCoordinates(x + arm, y, far, middle - arm, far, middle)} c`,
    `${formatCoordinates(far, middle + arm, x + arm, y + by, x, y + by)} c`,
  ];
}

function formatRgb(colour: Color): string {
  const channels = colors[colour].match(/[\da-f]{2}/g)!;
  return channels.map((channel) => formatCoordinate(parseInt(channel, 16) / 255)).join(" ");
}

function formatCoordinates(...values: number[]): string {
  return values.map(formatCoordinate).join(" ");
}
