import { crc32, deflateSync } from "node:zlib";

/** Builds a chunk of a PNG with its checksum. */
export function makePngChunk(name: string, content: Buffer): Buffer {
  const chunk = Buffer.alloc(12 + content.length);
  chunk.writeUInt32BE(content.length);
  chunk.write(name, 4, "latin1");
  content.copy(chunk, 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), chunk.length - 4);
  return chunk;
}

/** The number of samples of a pixel for each type of PNG. A palette has one, its index. */
const samplesOf = { grey: 1, rgb: 3, palette: 1, "grey+alpha": 2, rgba: 4 } as const;
const typeOf = { grey: 0, rgb: 2, palette: 3, "grey+alpha": 4, rgba: 6 } as const;
export type PngType = keyof typeof typeOf;

/**
 * Builds a PNG of 16 × 16 equal pixels.
 *
 * @param pixel its samples, up to 2^depth - 1
 * @param chunks between the header and the pixels
 */
export function makePng(type: PngType, depth: number, pixel: number[], chunks: Buffer[] = []) {
  const side = 16;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side);
  header.writeUInt32BE(side, 4);
  header.writeUInt8(depth, 8);
  header.writeUInt8(typeOf[type], 9);
  const bits = pixel
    .slice(0, samplesOf[type])
    .map((sample) => sample.toString(2).padStart(depth, "0"))
    .join("")
    .repeat(side);
  const row = Buffer.from([0, ...bits.match(/.{8}/g)!.map((byte) => Number.parseInt(byte, 2))]);
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    makePngChunk("IHDR", header),
    ...chunks,
    makePngChunk("IDAT", deflateSync(Buffer.concat(Array(side).fill(row)))),
    makePngChunk("IEND", Buffer.alloc(0)),
  ]);
}

/** Builds the chunk of an ICC profile. */
export function makeProfileChunk(profile: Buffer): Buffer {
  return makePngChunk("iCCP", Buffer.concat([Buffer.from("p\0\0"), deflateSync(profile)]));
}

/** The light of Display P3's red, green and blue under D50, as published. */
export const displayP3 = [
  [0.51512, 0.2412, -0.00105],
  [0.29198, 0.69225, 0.04189],
  [0.1571, 0.06657, 0.78407],
];

/**
 * Builds an ICC profile.
 *
 * @param colours the light of red, green and blue under D50, or none for a profile of greys
 */
export function makeIccProfile(gamma: number, colours: number[][] = []): Buffer {
  const xyz = (light: number[]) => {
    const tag = Buffer.alloc(20);
    tag.write("XYZ ");
    for (const [at, one] of light.entries()) tag.writeInt32BE(Math.round(one * 65_536), 8 + 4 * at);
    return tag;
  };
  const curve = Buffer.alloc(16);
  curve.write("curv");
  curve.writeUInt32BE(1, 8);
  curve.writeUInt16BE(Math.round(gamma * 256), 12);
  const white = xyz([0.9642, 1, 0.8249]);
  const tags: [string, Buffer][] = [["wtpt", white]];
  for (const [at, light] of colours.entries()) tags.push([`${"rgb"[at]}XYZ`, xyz(light)]);
  for (const name of colours.length > 0 ? ["rTRC", "gTRC", "bTRC"] : ["kTRC"])
    tags.push([name, curve]);
  const table = Buffer.alloc(132 + 12 * tags.length);
  table.write("\x02\x40", 8, "latin1");
  table.write(`mntr${colours.length > 0 ? "RGB " : "GRAY"}XYZ `, 12);
  table.write("acsp", 36);
  white.copy(table, 68, 8);
  table.writeUInt32BE(tags.length, 128);
  let end = table.length;
  for (const [at, [name, content]] of tags.entries()) {
    table.write(name, 132 + 12 * at);
    table.writeUInt32BE(end, 136 + 12 * at);
    table.writeUInt32BE(content.length, 140 + 12 * at);
    end += content.length;
  }
  table.writeUInt32BE(end);
  return Buffer.concat([table, ...tags.map(([, content]) => content)]);
}
