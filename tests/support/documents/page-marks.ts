import sharp from "sharp";
import type { PageText } from "../../../app/files/inspect/page-text.ts";
import type { PageMarks } from "./rendered-files.ts";

/** A rendered page. */
type ShownPage = {
  width: number;
  height: number;
  /** Bands from top to bottom, in fractions of the page's height. */
  bands: { top: number; height: number; picture(): Promise<Buffer> }[];
  text: PageText;
};

/** Compares a page with its expected marks. @returns one sentence for each difference */
export async function wrongMarks(marks: PageMarks, shown: ShownPage): Promise<string[]> {
  const wrong: string[] = [];
  const sides = [shown.width, shown.height].map((side) => Math.round(side));
  if (Math.abs(sides[0]! - marks.width) > 1 || Math.abs(sides[1]! - marks.height) > 1)
    wrong.push(`It is ${sides.join(" × ")} points and not ${marks.width} × ${marks.height}.`);
  const bands = shown.bands.map((band) => ({ ...band, pixels: once(() => decode(band.picture)) }));
  for (const [colour, x, y] of rectangles) {
    const found = await colourAt(bands, x, y);
    if (!looks[marks.colours][colour](found))
      wrong.push(`At ${x}, ${y} it is ${found.join()} and not ${colour}.`);
  }
  for (const phrase of marks.phrases) wrong.push(...(await wrongPhrase(phrase, shown, bands)));
  if (marks.phrases.length === 0 && shown.text.words.length > 0)
    wrong.push(`There are words: ${shown.text.text}`);
  return wrong;
}

type Colour = [red: number, green: number, blue: number];

/** Points close to both sides of the rectangles' edges, in fractions of the page. */
const rectangles: ["red" | "blue" | "white", number, number][] = [
  ...[0.01, 0.09].flatMap((x) => [0.01, 0.09].map((y) => ["red", x, y] as ["red", number, number])),
  ...[0.91, 0.99].flatMap((x) =>
    [0.91, 0.99].map((y) => ["blue", x, y] as ["blue", number, number]),
  ),
  ["white", 0.12, 0.05],
  ["white", 0.05, 0.12],
  ["white", 0.88, 0.95],
  ["white", 0.95, 0.88],
  ["white", 0.95, 0.05],
  ["white", 0.05, 0.95],
];

const near = (expected: Colour) => (found: Colour) =>
  found.every((part, index) => Math.abs(part - expected[index]!) < 20);
const white = near([255, 255, 255]);
const screen = { red: near([255, 0, 0]), blue: near([0, 0, 255]), white };
const looks: Record<
  PageMarks["colours"],
  Record<"red" | "blue" | "white", (found: Colour) => boolean>
> = {
  screen,
  print: {
    red: ([red, green, blue]) => red > 200 && green < 90 && blue < 90,
    blue: ([red, green, blue]) => blue > 100 && red < 90 && green < 90,
    white,
  },
  // The brightness of red and blue.
  grey: { red: near([76, 76, 76]), blue: near([29, 29, 29]), white },
};

type Pixels = { data: Buffer; width: number; height: number; channels: number };
type Band = { top: number; height: number; pixels(): Promise<Pixels> };

async function decode(picture: () => Promise<Buffer>): Promise<Pixels> {
  const { data, info } = await sharp(await picture())
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, ...info };
}

async function colourAt(bands: Band[], x: number, y: number): Promise<Colour> {
  const band = bandAt(bands, y);
  const pixels = await band.pixels();
  const column = Math.floor(x * pixels.width);
  const row = Math.min(
    pixels.height - 1,
    Math.floor(((y - band.top) / band.height) * pixels.height),
  );
  return colourOf(pixels, column, row);
}

function bandAt(bands: Band[], y: number): Band {
  return bands.findLast(({ top }) => top <= y)!;
}

function colourOf({ data, width, channels }: Pixels, column: number, row: number): Colour {
  const at = (row * width + column) * channels;
  return [data[at]!, data[at + 1]!, data[at + 2]!];
}

/** The empty margin around a phrase, in fractions of the box's height. */
const around = 0.25;
/** Antialiasing next to a letter, in pixels of a picture 1,600 wide. */
const blur = 3;

/** Checks that the boxes of a phrase's words contain its ink and are not much larger. */
async function wrongPhrase(phrase: string, { text }: ShownPage, bands: Band[]): Promise<string[]> {
  // Searches for whole words. The leading space keeps the index the same.
  const start = ` ${text.text} `.replaceAll(/\s/g, " ").indexOf(` ${phrase} `);
  if (start < 0) return [`"${phrase}" cannot be read in "${text.text.slice(0, 200)}".`];
  const words = text.words.filter(
    ([from, length]) => from >= start && from + length <= start + phrase.length,
  );
  if (words.length !== phrase.split(" ").length)
    return [`"${phrase}" has ${words.length} boxes of words.`];
  const left = Math.min(...words.map((word) => word[2]));
  const top = Math.min(...words.map((word) => word[3]));
  const right = Math.max(...words.map((word) => word[2] + word[4]));
  const bottom = Math.max(...words.map((word) => word[3] + word[5]));
  const band = bandAt(bands, top);
  const pixels = await band.pixels();
  const box = {
    left: left * pixels.width,
    right: right * pixels.width,
    top: ((top - band.top) / band.height) * pixels.height,
    bottom: ((bottom - band.top) / band.height) * pixels.height,
  };
  const ink = inkAround(pixels, box);
  if (!ink) return [`"${phrase}" is not where its box is.`];
  const wrong: string[] = [];
  if (ink.left < box.left - blur || ink.right > box.right + blur)
    wrong.push(`"${phrase}" goes beside its box: ${formatEdges(ink)} in ${formatEdges(box)}.`);
  if (ink.top < box.top - blur || ink.bottom > box.bottom + blur)
    wrong.push(
      `"${phrase}" goes over or under its box: ${formatEdges(ink)} in ${formatEdges(box)}.`,
    );
  const isWide = ink.right - ink.left > 0.85 * (box.right - box.left);
  const isHigh = ink.bottom - ink.top > 0.3 * (box.bottom - box.top);
  if (!isWide || !isHigh)
    wrong.push(`"${phrase}" has too large a box: ${formatEdges(ink)} in ${formatEdges(box)}.`);
  return wrong;
}

type Edges = { left: number; top: number; right: number; bottom: number };

/** Returns the edges of dark pixels in and close to a box; null if there are none. */
function inkAround(pixels: Pixels, box: Edges): Edges | null {
  const margin = around * (box.bottom - box.top);
  const first = Math.max(0, Math.floor(box.top - margin));
  const last = Math.min(pixels.height - 1, Math.ceil(box.bottom + margin));
  const from = Math.max(0, Math.floor(box.left - margin));
  const to = Math.min(pixels.width - 1, Math.ceil(box.right + margin));
  let ink: Edges | null = null;
  for (let row = first; row <= last; row++) {
    for (let column = from; column <= to; column++) {
      if (!colourOf(pixels, column, row).every((part) => part < 128)) continue;
      ink ??= { left: column, right: column, top: row, bottom: row };
      ink.left = Math.min(ink.left, column);
      ink.right = Math.max(ink.right, column + 1);
      ink.bottom = row + 1;
    }
  }
  return ink;
}

function formatEdges({ left, top, right, bottom }: Edges): string {
  const [x1, y1, x2, y2] = [left, top, right, bottom].map((edge) => Math.round(edge));
  return `${x1}–${x2} × ${y1}–${y2}`;
}

function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | null = null;
  return () => (made ??= make());
}
