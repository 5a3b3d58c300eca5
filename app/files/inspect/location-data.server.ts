import { type FileHandle, open } from "node:fs/promises";
import { crc32 } from "node:zlib";
import {
  getEnd,
  type ImagePart,
  isParted,
  listImageParts,
  type PartedKind,
  readAt,
} from "./image.server.ts";

/**
 * Overwrites parts of an image file that may contain its location: Exif, XMP, IPTC, comments and data after the image.
 * Pixels, colour profile, orientation and the file's length don't change. An image that can't be parsed is left
 * unchanged.
 *
 * @param extension of the type detected in the bytes. Types other than PNG, JPEG, WebP and GIF are left unchanged.
 * @param end the position after the pixels, if the file doesn't say it. Then the missing end is written, too.
 */
export async function removeLocationData(
  path: string,
  extension: string,
  end?: number,
): Promise<void> {
  if (!isParted(extension)) return;
  const file = await open(path, "r+");
  try {
    const { size } = await file.stat();
    const image = await listImageParts(file, size, extension);
    if (!image || (image.end ?? end) === undefined) return;
    for (const part of image.parts) {
      if (!(await isNeeded(file, part, extension))) await replace(file, part, extension);
    }
    if (image.end !== null) await writeZeros(file, image.end, size);
    else if (end !== undefined) await writeEnd(file, end, size, extension);
  } finally {
    await file.close();
  }
}

const imageEnds: Readonly<Partial<Record<PartedKind, Buffer>>> = {
  png: Buffer.from("0000000049454e44ae426082", "hex"),
  jpg: Buffer.from("ffd9", "hex"),
};

/** Writes the end of an image that has none, if there is room, and zeros after it. */
async function writeEnd(file: FileHandle, end: number, size: number, kind: PartedKind) {
  const mark = imageEnds[kind] ?? Buffer.alloc(0);
  const written = end + mark.length <= size ? mark : Buffer.alloc(0);
  await file.write(written, 0, written.length, end);
  await writeZeros(file, end + written.length, size);
}

/** The parts needed to show an image. Others only describe it. */
const neededParts: Record<PartedKind, RegExp> = {
  png: /^(?:[A-Z]{4}|tRNS|cHRM|gAMA|iCCP|sBIT|sRGB|bKGD|hIST|pHYs|sPLT|cICP|mDCV|cLLI|acTL|fcTL|fdAT)$/,
  // All but comments and application segments, except JFIF's and Adobe's, which describe colours.
  jpg: /^(?:[^ef].|f[^e]|e0|ee)$/,
  webp: /^(?:VP8 |VP8L|VP8X|ALPH|ANIM|ANMF|ICCP)$/,
  gif: /^(?:2c|f9|01)$/,
};

/** The starts of application data that readers need: profiles, and the repetition of an animation. */
const neededData: Readonly<Partial<Record<string, RegExp>>> = {
  "jpg e2": /^ICC_PROFILE\0/,
  "gif ff": /^\x0b(?:NETSCAPE2\.0|ANIMEXTS1\.0|ICCRGBG1012)/,
};

async function isNeeded(file: FileHandle, part: ImagePart, kind: PartedKind): Promise<boolean> {
  if (neededParts[kind].test(part.name)) return true;
  const pattern = neededData[`${kind} ${part.name}`];
  const start = await readAt(file, part.start, Math.min(part.length, 12));
  return pattern?.test(start.toString("latin1")) ?? false;
}

const exifParts = { png: "eXIf", jpg: "e1", webp: "EXIF", gif: "" };
const exifSignature = Buffer.from("Exif\0\0", "latin1");
/** In bytes, the longest Exif data of a JPEG. Its first directory is at the start. */
const exifRange = 65_536;

/** Overwrites a part with only its orientation, or with nothing. */
async function replace(file: FileHandle, part: ImagePart, kind: PartedKind): Promise<void> {
  if (kind === "gif") return replaceByComment(file, part);
  const isExif = part.name === exifParts[kind];
  const content = isExif
    ? await readAt(file, part.start, Math.min(part.length, exifRange))
    : Buffer.alloc(0);
  const signature = content.indexOf(exifSignature) === 0 ? exifSignature : Buffer.alloc(0);
  const orientation = readOrientation(content.subarray(signature.length));
  const exif = orientation
    ? Buffer.concat([signature, buildOrientationData(orientation)])
    : signature;
  const remaining = orientation && exif.length <= part.length ? exif : Buffer.alloc(0);
  await writeZeros(file, part.start, getEnd(part));
  await file.write(remaining, 0, remaining.length, part.start);
  if (remaining.length === 0) await rename(file, part, kind);
  if (kind === "png") await writeChecksum(file, part);
}

const orientationTag = 0x0112;

/** Reads the orientation (1 to 8) from the first directory of TIFF data, or returns null. */
function readOrientation(tiff: Buffer): number | null {
  if (tiff.length < 8) return null;
  const little = tiff.toString("latin1", 0, 2) === "II";
  const short = (at: number) => (little ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const directory = little ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  if (directory + 2 > tiff.length) return null;
  const end = Math.min(directory + 2 + 12 * short(directory), tiff.length - 11);
  for (let entry = directory + 2; entry < end; entry += 12) {
    if (short(entry) !== orientationTag) continue;
    const value = short(entry + 8);
    return value >= 1 && value <= 8 ? value : null;
  }
  return null;
}

/** Builds TIFF data of one directory with one entry. */
function buildOrientationData(orientation: number): Buffer {
  const tiff = Buffer.from("4d4d002a00000008000101120003000000010000000000000000", "hex");
  tiff.writeUInt16BE(orientation, 18);
  return tiff;
}

/** Overwrites a block of a GIF by a comment of zeros, in as many sub-blocks as needed. */
async function replaceByComment(file: FileHandle, { start, length }: ImagePart): Promise<void> {
  const content = Buffer.alloc(length);
  const last = length - 1;
  for (let at = 0; at < last; at += 1 + content[at]!) {
    const left = last - at;
    // A block must not leave a single byte, which couldn't be a block.
    content[at] = Math.min(left - 1, left === 257 ? 254 : 255);
  }
  await file.write(Buffer.from([0xfe]), 0, 1, start - 1);
  await file.write(content, 0, length, start);
}

/** Renames a part to an unknown type that readers ignore, in a PNG an ancillary private chunk. */
async function rename(file: FileHandle, part: ImagePart, kind: PartedKind): Promise<void> {
  if (kind === "png") await file.write("noNe", part.start - 4, "latin1");
  if (kind === "webp") await file.write("NONE", part.start - 8, "latin1");
}

async function writeChecksum(file: FileHandle, { start, length }: ImagePart): Promise<void> {
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(await readAt(file, start - 4, length + 4)));
  await file.write(sum, 0, 4, start + length);
}

const zeros = Buffer.alloc(64 * 1024);

async function writeZeros(file: FileHandle, start: number, end: number): Promise<void> {
  for (let at = start; at < end; at += zeros.length) {
    await file.write(zeros, 0, Math.min(zeros.length, end - at), at);
  }
}
