import type { FileHandle } from "node:fs/promises";
import { type Finding, flaws } from "../finding.ts";
import type { FileKind } from "../rules.ts";

/** The largest side of an image in pixels; rendering accepts the same. */
export const maxSide = 40_000;
export const maxPixels = 268_435_456;

type Dimensions = { width: number; height: number };
type ImageKind = Extract<FileKind, "png" | "jpg" | "webp" | "gif">;

/** The kind of image that the first bytes announce, or null. */
export function detectImageKind(head: Buffer): ImageKind | null {
  const text = head.toString("latin1", 0, 16);
  if (text.startsWith("\x89PNG\r\n\x1a\n")) return "png";
  if (text.startsWith("\xff\xd8\xff")) return "jpg";
  if (/^RIFF[^]{4}WEBP/.test(text)) return "webp";
  if (/^GIF8[79]a/.test(text)) return "gif";
  return null;
}

/** Checks whether an open file that starts like an image has a plausible size and is complete. */
export async function inspectImage(
  file: FileHandle,
  size: number,
  kind: ImageKind,
): Promise<Finding> {
  const dimensions = await readDimensions(file, size, kind);
  if (!dimensions) return { kind, flaw: flaws.incomplete };
  const { width, height } = dimensions;
  if (width === 0 || height === 0) return { kind, flaw: flaws.incomplete };
  const oversized = width > maxSide || height > maxSide || width * height > maxPixels;
  return oversized ? { kind, flaw: flaws.oversized } : { kind };
}

/** Reads the sides of an image from its header, in pixels; null for one that ends too early. */
export function readDimensions(
  file: FileHandle,
  size: number,
  kind: ImageKind,
): Promise<Dimensions | null> {
  return readers[kind](file, size);
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
  const parts = (await listParts(file, size, "png"))?.parts ?? [];
  if (parts[0]?.name !== "IHDR" || !parts.some(({ name }) => name === "IDAT")) return null;
  const header = await readAt(file, parts[0].start, 8);
  return { width: header.readUInt32BE(0), height: header.readUInt32BE(4) };
}

/** SOF0 to SOF15, among which three markers mean something else. */
const startOfFrame = /^c[0-35-79-bd-f]$/;

async function readJpeg(file: FileHandle, size: number): Promise<Dimensions | null> {
  const parts = (await listParts(file, size, "jpg"))?.parts ?? [];
  const frame = parts.findLast(({ name }) => startOfFrame.test(name));
  const header = frame && (await readAt(file, frame.start, 5));
  if (header?.length !== 5 || !parts.some(({ name }) => name === "da")) return null;
  return { height: header.readUInt16BE(1), width: header.readUInt16BE(3) };
}

async function readWebp(file: FileHandle, size: number): Promise<Dimensions | null> {
  const [first] = (await listParts(file, size, "webp"))?.parts ?? [];
  const header = first && (await readAt(file, first.start, 10));
  if (header?.length !== 10) return null;
  if (first!.name === "VP8X") {
    return { width: header.readUIntLE(4, 3) + 1, height: header.readUIntLE(7, 3) + 1 };
  }
  if (first!.name === "VP8L" && header[0] === 0x2f) {
    const bits = header.readUInt32LE(1);
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  if (first!.name === "VP8 " && header.toString("hex", 3, 6) === "9d012a") {
    return { width: header.readUInt16LE(6) & 0x3fff, height: header.readUInt16LE(8) & 0x3fff };
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

/**
 * A part of an image file: the chunk of a PNG or WebP under its four letters, the segment of a JPEG
 * under the two hexadecimal digits of its marker.
 */
export type ImagePart = {
  name: string;
  /** The start and length of its content, in bytes. */
  start: number;
  length: number;
};

/** `end` is where the image ends; what comes behind is no part of it. */
type ImageParts = { parts: ImagePart[]; end: number };

export type PartedKind = "png" | "jpg" | "webp";

/** Enough for any camera. A file with more parts was made to keep the reader busy. */
const maxParts = 20_000;

/** Lists the parts of an image, whose content is not looked at; null for one that ends too early. */
export function listParts(
  file: FileHandle,
  size: number,
  kind: PartedKind,
): Promise<ImageParts | null> {
  if (kind === "jpg") return listSegments(file);
  return kind === "png" ? listPngChunks(file, size) : listWebpChunks(file, size);
}

async function listPngChunks(file: FileHandle, size: number): Promise<ImageParts | null> {
  const parts: ImagePart[] = [];
  let end = 8;
  while (parts.length < maxParts) {
    const head = await readAt(file, end, 8);
    if (head.length < 8) return null;
    const part = {
      name: head.toString("latin1", 4),
      start: end + 8,
      length: head.readUInt32BE(0),
    };
    end = part.start + part.length + 4;
    if (end > size) return null;
    parts.push(part);
    if (part.name === "IEND") return { parts, end };
  }
  return null;
}

async function listWebpChunks(file: FileHandle, size: number): Promise<ImageParts | null> {
  const riff = await readAt(file, 0, 12);
  if (riff.length < 12) return null;
  const end = 8 + riff.readUInt32LE(4);
  if (end > size) return null;
  const parts: ImagePart[] = [];
  for (let at = 12; at + 8 <= end && parts.length < maxParts;) {
    const head = await readAt(file, at, 8);
    const length = head.readUInt32LE(4);
    parts.push({ name: head.toString("latin1", 0, 4), start: at + 8, length });
    // Each chunk begins at an even place.
    at += 8 + length + (length % 2);
    if (at > end + 1) return null;
  }
  return { parts, end };
}

const startOfScan = "da";
const endOfImage = "d9";
/** The markers allowed between two scans. Any other marker among the pixels is damage that readers skip. */
const betweenScans = /^(?:c4|d9|da|db|dc|dd|fe|e.)$/;

async function listSegments(file: FileHandle): Promise<ImageParts | null> {
  const parts: ImagePart[] = [];
  let at = 2;
  for (let marker = 0; marker < maxParts; marker++) {
    const head = await readAt(file, at, 4);
    const name = head.toString("hex", 1, 2);
    if (head.length < 2 || head[0] !== 0xff) return null;
    if (name === endOfImage) return { parts, end: at + 2 };
    if (name === "ff") {
      at += 1;
      continue;
    }
    if (head.length < 4) return null;
    const length = Math.max(0, head.readUInt16BE(2) - 2);
    parts.push({ name, start: at + 4, length });
    at += 4 + length;
    if (name === startOfScan) at = await findEndOfScan(file, at);
  }
  return null;
}

/** Finds the marker that ends the pixels of a scan; the end of the file without one. */
async function findEndOfScan(file: FileHandle, from: number): Promise<number> {
  let end = from;
  for await (const { bytes, position } of readWindows(file, from, 1)) {
    for (let at = bytes.indexOf(0xff); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
      if (betweenScans.test(bytes.toString("hex", at + 1, at + 2))) return position + at;
    }
    end = position + bytes.length;
  }
  return end;
}

const windowSize = 128 * 1024;

/**
 * The file from `from` to its end, as windows of which each repeats the last `overlap` bytes of
 * the one before, so that what is searched and not longer than that is whole in one of them.
 */
async function* readWindows(
  file: FileHandle,
  from: number,
  overlap: number,
): AsyncGenerator<{ bytes: Buffer<ArrayBuffer>; position: number }> {
  for (let position = from; ; position += windowSize - overlap) {
    const bytes = await readAt(file, position, windowSize);
    if (bytes.length > 0) yield { bytes, position };
    if (bytes.length < windowSize) return;
  }
}

/** Reads at most `length` bytes from `position`; fewer only at the end of the file. */
export async function readAt(
  file: FileHandle,
  position: number,
  length: number,
): Promise<Buffer<ArrayBuffer>> {
  const buffer = Buffer.alloc(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await file.read(buffer, filled, length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}
