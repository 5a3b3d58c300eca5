import type { PDFDict, PDFDocument, PDFRef } from "@cantoo/pdf-lib";
import type { Severity } from "../remarks/rules.ts";
import { pinShapes } from "../result/marked.ts";
import { type Faces, type Shaped, short } from "./faces.server.ts";

/** Those of the day chart (`app/ui/brand/tokens.css`): what is printed has no night. */
export const colours = {
  paper: "#fbfaf5",
  ink: "#17211f",
  soft: "#46524e",
  faint: "#59645f",
  line: "#d0cdbf",
  accent: "#bf3413",
  link: "#0d5687",
  success: "#22633a",
} as const;
export type Colour = keyof typeof colours;

/** Of a severity's sign, as on the screen. */
export const severityColours: Record<Severity, Colour> = {
  must: "accent",
  should: "ink",
  idea: "link",
  keep: "success",
};

/** The signs are drawn in a square of this many units about their middle. */
const signSide = 36;

/** Draws on a page or in an appearance, from the lower left corner; all sides in units of its space. */
export type Drawing = {
  text(x: number, y: number, shaped: Shaped, size: number, colour: Colour): void;
  rectangle(x: number, y: number, width: number, height: number, colour: Colour): void;
  /** A line of a colour on a wider one of paper, so that it is seen on any page. */
  outline(x: number, y: number, width: number, height: number, colour: Colour, line: number): void;
  /** The sign of a severity about its middle, with its number. */
  sign(x: number, y: number, side: number, severity: Severity, number: number | null): void;
  image(ref: PDFRef, x: number, y: number, width: number, height: number): void;
  /** What was drawn, and what that needs of the document. */
  operators(): string;
  resources(fonts: PDFRef): PDFDict;
};

export function newDrawing(document: PDFDocument, faces: Faces): Drawing {
  const operators: string[] = [];
  const images: PDFRef[] = [];
  const text: Drawing["text"] = (x, y, shaped, size, colour) =>
    operators.push(
      `BT ${rgb(colour)} rg 1 0 0 1 ${numbers(x, y)} Tm`,
      faces.show(shaped, size),
      "ET",
    );
  return {
    text,
    rectangle: (x, y, width, height, colour) =>
      operators.push(`${rgb(colour)} rg ${numbers(x, y, width, height)} re f`),
    outline(x, y, width, height, colour, line) {
      const box = numbers(x, y, width, height);
      operators.push(`${rgb("paper")} RG ${short(line * 2.2)} w ${box} re S`);
      operators.push(`${rgb(colour)} RG ${short(line)} w ${box} re S`);
    },
    sign(x, y, side, severity, number) {
      const scale = side / signSide;
      operators.push(`q ${short(scale)} 0 0 ${short(-scale)} ${numbers(x, y)} cm`);
      operators.push(...signOperators(severity), "Q");
      if (number === null) return;
      const digits = faces.shape(String(number), "bold");
      const size = side * (number > 99 ? 0.3 : 0.38);
      const isHollow = severity === "idea";
      // Figures stand as high as capitals, which are seven tenths of the size.
      const [left, base] = [x - (digits.width * size) / 2, y - size * 0.35];
      text(left, base, digits, size, isHollow ? "link" : "paper");
    },
    image(ref, x, y, width, height) {
      images.push(ref);
      operators.push(
        `q ${numbers(width)} 0 0 ${numbers(height, x, y)} cm /Picture${images.length} Do Q`,
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

function signOperators(severity: Severity): string[] {
  const path = pathOperators(pinShapes[severity]);
  const colour = rgb(severityColours[severity]);
  const paper = rgb("paper");
  if (severity !== "idea") return [`${paper} RG 5 w ${path} S`, `${colour} rg ${path} f`];
  return [`${paper} RG 6 w ${path} S`, `${paper} rg ${colour} RG 2.5 w ${path} B`];
}

/**
 * A path of an SVG as operators. Of its commands those that the signs are drawn with: moves, lines, and half
 * circles as two curves each.
 */
function pathOperators(path: string): string {
  const operators: string[] = [];
  let [x, y] = [0, 0];
  for (const [, command = "", text = ""] of path.matchAll(/([a-zA-Z])([^a-zA-Z]*)/g)) {
    const values = [...text.matchAll(/-?[\d.]+/g)].map(([number]) => Number(number));
    const to = (nextX: number, nextY: number, operator: string) => {
      [x, y] = [nextX, nextY];
      operators.push(`${numbers(x, y)} ${operator}`);
    };
    if (command === "M") {
      to(values[0]!, values[1]!, "m");
      // Further places of a move are lines to them.
      for (let at = 2; at < values.length; at += 2) to(values[at]!, values[at + 1]!, "l");
    } else if (command === "h") to(x + values[0]!, y, "l");
    else if (command === "v") to(x, y + values[0]!, "l");
    else if (command === "l")
      for (let at = 0; at < values.length; at += 2) to(x + values[at]!, y + values[at + 1]!, "l");
    else if (command === "a") {
      for (let at = 0; at < values.length; at += 7) {
        operators.push(...halfCircle(x, y, values[at]!, values[at + 6]!));
        y += values[at + 6]!;
      }
    } else if (command === "z") operators.push("h");
    else throw new Error(`A sign is drawn with the unknown command "${command}".`);
  }
  return operators.join(" ");
}

/** How far the handles of a curve stand off that is a quarter of a circle. */
const handle = 0.5523;

/** Clockwise in a space that grows downwards, from a point to the one straight below or above it. */
function halfCircle(x: number, y: number, radius: number, by: number): string[] {
  const side = Math.sign(by) * radius;
  const far = x + side;
  const middle = y + by / 2;
  const arm = side * handle;
  return [
    `${numbers(x + arm, y, far, middle - arm, far, middle)} c`,
    `${numbers(far, middle + arm, x + arm, y + by, x, y + by)} c`,
  ];
}

function rgb(colour: Colour): string {
  const channels = colours[colour].match(/[\da-f]{2}/g)!;
  return channels.map((channel) => short(parseInt(channel, 16) / 255)).join(" ");
}

function numbers(...values: number[]): string {
  return values.map(short).join(" ");
}
