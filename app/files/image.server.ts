import type { FileHandle } from "node:fs/promises";
import { readAt, windows } from "./file-bytes.server.ts";
import { type Finding, flaws } from "./finding.ts";
import type { FileKind } from "./rules.ts";

const maxSide = 40_000;
const maxPixels = 268_435_456;
/** Enough for any camera; a file that has more has been made to keep the reader busy. */
const maxParts = 20_000;

type Dimensions = { width: number; height: number };
type ImageKind = Extract<FileKind, "png" | "jpg" | "webp" | "gif">;

/** The kind of image that the first bytes announce, or null. */
export function imageKind(head: Buffer): ImageKind | null {
  const text = head.toString("latin1", 0, 16);
  if (text.startsWith("\x89PNG\r\n\x1a\n")) return "png";
  if (text.startsWith("\xff\xd8\xff")) return "jpg";
  if (/^RIFF[^]{4}WEBP/.test(text)) return "webp";
  if (/^GIF8[79]a/.test(text)) return "gif";
  return null;
}

/** Whether an open file that begins as an image has a plausible size and is there to its end. */
export async function inspectImage(
  file: FileHandle,
  size: number,
  kind: ImageKind,
): Promise<Finding> {
  const dimensions = await readers[kind](file, size);
  if (!dimensions) return { kind, flaw: flaws.incomplete };
  const { width, height } = dimensions;
  if (width === 0 || height === 0) return { kind, flaw: flaws.incomplete };
  const oversized = width > maxSide || height > maxSide || width * height > maxPixels;
  return oversized ? { kind, flaw: flaws.oversized } : { kind };
}

type ImageReader = (file: FileHandle, size: number) => Promise<Dimensions | null>;

/** Each gives null for an image that ends too early. */
const readers: Record<ImageKind, ImageReader> = {
  png: readPng,
  jpg: readJpeg,
  webp: readWebp,
  gif: readGif,
};

async function readPng(file: FileHandle, size: number): Promise<Dimensions | null> {
  const header = await readAt(file, 8, 16);
  if (header.length < 16 || header.toString("latin1", 4, 8) !== "IHDR") return null;
  const dimensions = { width: header.readUInt32BE(8), height: header.readUInt32BE(12) };

  let position = 8;
  let hasPixels = false;
  for (let part = 0; part < maxParts; part++) {
    const chunk = await readAt(file, position, 8);
    if (chunk.length < 8) return null;
    position += 12 + chunk.readUInt32BE(0);
    if (position > size) return null;
    const type = chunk.toString("latin1", 4, 8);
    if (type === "IDAT") hasPixels = true;
    if (type === "IEND") return hasPixels ? dimensions : null;
  }
  return null;
}

const startOfScan = 0xda;
/** SOF0 to SOF15, among which three markers mean something else. */
const startsFrame = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

async function readJpeg(file: FileHandle): Promise<Dimensions | null> {
  let dimensions: Dimensions | null = null;
  let position = 2;
  for (let part = 0; part < maxParts; part++) {
    const segment = await readAt(file, position, 9);
    if (segment.length < 4 || segment[0] !== 0xff) return null;
    const marker = segment[1]!;
    if (marker === 0xff) {
      position += 1;
      continue;
    }
    if (startsFrame(marker) && segment.length === 9) {
      dimensions = { height: segment.readUInt16BE(5), width: segment.readUInt16BE(7) };
    }
    position += 2 + segment.readUInt16BE(2);
    if (marker === startOfScan) break;
  }
  return dimensions && (await hasEndOfImage(file, position)) ? dimensions : null;
}

/** Within the pixels of a JPEG the end marker cannot occur; after it, cameras add what they like. */
async function hasEndOfImage(file: FileHandle, from: number): Promise<boolean> {
  for await (const { bytes } of windows(file, from, 1)) {
    if (bytes.includes("\xff\xd9", 0, "latin1")) return true;
  }
  return false;
}

async function readWebp(file: FileHandle, size: number): Promise<Dimensions | null> {
  const header = await readAt(file, 0, 30);
  if (header.length < 30 || header.readUInt32LE(4) + 8 > size) return null;
  const format = header.toString("latin1", 12, 16);
  if (format === "VP8X") {
    return { width: header.readUIntLE(24, 3) + 1, height: header.readUIntLE(27, 3) + 1 };
  }
  if (format === "VP8L" && header[20] === 0x2f) {
    const bits = header.readUInt32LE(21);
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  if (format === "VP8 " && header.toString("hex", 23, 26) === "9d012a") {
    return { width: header.readUInt16LE(26) & 0x3fff, height: header.readUInt16LE(28) & 0x3fff };
  }
  return null;
}

async function readGif(file: FileHandle, size: number): Promise<Dimensions | null> {
  const header = await readAt(file, 0, 13);
  if (header.length < 13) return null;
  const tail = await readAt(file, Math.max(13, size - 64), 64);
  const last = tail.findLast((byte) => byte !== 0);
  const trailer = 0x3b;
  if (last !== trailer) return null;
  return { width: header.readUInt16LE(6), height: header.readUInt16LE(8) };
}
