import { open, readFile } from "node:fs/promises";
import { crc32, deflateSync } from "node:zlib";
import { listImageParts, readAt } from "../inspect/image.server.ts";

/**
 * Reads a PNG whose colours are described by its gamma and primaries alone, and adds the ICC profile of the same
 * colours. Browsers follow such descriptions, but the image library doesn't.
 *
 * @returns null for any other picture, which the library shows like browsers
 */
export async function readWithProfile(path: string): Promise<Buffer<ArrayBuffer> | null> {
  const space = await readColourSpace(path);
  const profile = space && buildProfile(space);
  if (!profile) return null;
  const bytes = await readFile(path);
  const chunk = buildChunk("iCCP", Buffer.concat([Buffer.from("p\0\0"), deflateSync(profile)]));
  return Buffer.concat([bytes.subarray(0, endOfHeader), chunk, bytes.subarray(endOfHeader)]);
}

/** The header is the first chunk, and profiles come right after it. */
const endOfHeader = 33;

type ColourSpace = {
  isGrey: boolean;
  /** The exponent that turns a value into light. */
  gamma: number;
  /** The x and y of white, red, green and blue. */
  primaries: number[];
};

const sRgbPrimaries = [0.3127, 0.329, 0.64, 0.33, 0.3, 0.6, 0.15, 0.06];
/** The gamma of sRGB as written by programs that mean sRGB. */
const sRgbGamma = 45_455;

async function readColourSpace(path: string): Promise<ColourSpace | null> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const isPng = (await readAt(file, 0, 8)).toString("latin1") === "\x89PNG\r\n\x1a\n";
    const parts = (isPng && (await listImageParts(file, size, "png"))?.parts) || [];
    const contentOf = async (name: string, length: number) => {
      const part = parts.find((one) => one.name === name && one.length === length);
      return part ? readAt(file, part.start, length) : null;
    };
    const [header, gamma, primaries] = [
      await contentOf("IHDR", 13),
      await contentOf("gAMA", 4),
      await contentOf("cHRM", 32),
    ];
    const hasBetter = parts.some(({ name }) => ["iCCP", "sRGB", "cICP"].includes(name));
    const exponent = gamma?.readUInt32BE(0) ?? 0;
    if (hasBetter || !header || exponent === 0 || (exponent === sRgbGamma && !primaries))
      return null;
    const numbers = [0, 4, 8, 12, 16, 20, 24, 28].map((at) => primaries?.readUInt32BE(at));
    return {
      // Bit 2 of the type means that pixels have colours.
      isGrey: (header[9]! & 2) === 0,
      gamma: 100_000 / exponent,
      primaries: primaries ? numbers.map((number) => number! / 100_000) : sRgbPrimaries,
    };
  } finally {
    await file.close();
  }
}

/** Builds an ICC profile (version 2.4) of these colours; null for impossible ones. */
function buildProfile({ isGrey, gamma, primaries }: ColourSpace): Buffer | null {
  const columns = isGrey ? [] : toLightUnderD50(primaries);
  const isPossible = [...columns.flat(), gamma].every((one) => Math.abs(one) < 100);
  if (!isPossible) return null;
  const curve = Buffer.concat([Buffer.from("curv\0\0\0\0\0\0\0\x01", "latin1"), Buffer.alloc(4)]);
  curve.writeUInt16BE(Math.round(gamma * 256), 12);
  const description = Buffer.alloc(95);
  description.write("desc\0\0\0\0\0\0\0\x02p", "latin1");
  const tags: [string, Buffer][] = [
    ["desc", description],
    ["cprt", Buffer.from("text\0\0\0\0-\0")],
    ["wtpt", buildXyz(d50)],
    ...columns.map((column, index): [string, Buffer] => [`${"rgb"[index]}XYZ`, buildXyz(column)]),
    ...(isGrey ? ["kTRC"] : ["rTRC", "gTRC", "bTRC"]).map((name): [string, Buffer] => [
      name,
      curve,
    ]),
  ];
  const header = Buffer.alloc(128);
  header.write("\x02\x40", 8, "latin1");
  header.write(`mntr${isGrey ? "GRAY" : "RGB "}XYZ `, 12);
  header.write("acsp", 36);
  buildXyz(d50).copy(header, 68, 8);
  const table = Buffer.alloc(4 + 12 * tags.length);
  table.writeUInt32BE(tags.length);
  let end = header.length + table.length;
  const contents = tags.map(([name, content], index) => {
    table.write(name, 4 + 12 * index);
    table.writeUInt32BE(end, 8 + 12 * index);
    table.writeUInt32BE(content.length, 12 + 12 * index);
    // Each tag starts at a multiple of four.
    const padded = Buffer.concat([content, Buffer.alloc(-content.length & 3)]);
    end += padded.length;
    return padded;
  });
  header.writeUInt32BE(end);
  return Buffer.concat([header, table, ...contents]);
}

function buildXyz(xyz: readonly number[]): Buffer {
  const content = Buffer.from("XYZ \0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0");
  for (const [index, one] of xyz.entries())
    content.writeInt32BE(Math.round(one * 65_536), 8 + 4 * index);
  return content;
}

type Vector = [number, number, number];
type Matrix = [Vector, Vector, Vector];

/** The white of ICC profiles. */
const d50: Vector = [0.9642, 1, 0.8249];
/** Bradford's matrix, which turns light into the eye's responses. */
const responses: Matrix = [
  [0.8951, 0.2664, -0.1614],
  [-0.7502, 1.7135, 0.0367],
  [0.0389, -0.0685, 1.0296],
];

/** Returns the light of full red, green and blue as seen under the white of ICC profiles. */
function toLightUnderD50([wx, wy, rx, ry, gx, gy, bx, by]: number[]): Vector[] {
  const white = toXyz(wx!, wy!);
  const colours = toColumns([toXyz(rx!, ry!), toXyz(gx!, gy!), toXyz(bx!, by!)]);
  const amounts = applyMatrix(buildInverse(colours), white);
  const [from, to] = [applyMatrix(responses, white), applyMatrix(responses, d50)];
  return toColumns(colours).map((colour, index) => {
    const adapted = applyMatrix(responses, colour).map((one, at) => (one * to[at]!) / from[at]!);
    return applyMatrix(buildInverse(responses), adapted as Vector).map(
      (one) => one * amounts[index]!,
    ) as Vector;
  });
}

function toXyz(x: number, y: number): Vector {
  return [x / y, 1, (1 - x - y) / y];
}

function applyMatrix(matrix: Matrix, [x, y, z]: Vector): Vector {
  return matrix.map(([a, b, c]) => a * x + b * y + c * z) as Vector;
}

function toColumns([[a, b, c], [d, e, f], [g, h, i]]: Matrix): Matrix {
  return [
    [a, d, g],
    [b, e, h],
    [c, f, i],
  ];
}

function buildInverse([[a, b, c], [d, e, f], [g, h, i]]: Matrix): Matrix {
  const determinant = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g);
  const rows: Matrix = [
    [e * i - f * h, c * h - b * i, b * f - c * e],
    [f * g - d * i, a * i - c * g, c * d - a * f],
    [d * h - e * g, b * g - a * h, a * e - b * d],
  ];
  return rows.map((row) => row.map((one) => one / determinant)) as Matrix;
}

function buildChunk(name: string, content: Buffer): Buffer {
  const chunk = Buffer.alloc(12 + content.length);
  chunk.writeUInt32BE(content.length);
  chunk.write(name, 4);
  content.copy(chunk, 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), chunk.length - 4);
  return chunk;
}
