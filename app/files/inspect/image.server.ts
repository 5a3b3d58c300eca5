import type { FileHandle } from "node:fs/promises";
import { type Finding, fileProblems } from "../finding.ts";
import type { FileKind } from "../rules.ts";

/** The limit for an image's sides in pixels, for uploads and rendering. */
export const maxSide = 40_000;
export const maxPixels = 268_435_456;

type Dimensions = { width: number; height: number };
export type ImageKind = Extract<FileKind, "png" | "jpg" | "webp" | "gif">;

/** Detects the kind of image by its first bytes, or returns null. */
export function detectImageKind(head: Buffer): ImageKind | null {
  const text = head.toString("latin1", 0, 16);
  if (text.startsWith("\x89PNG\r\n\x1a\n")) return "png";
  if (text.startsWith("\xff\xd8\xff")) return "jpg";
  if (/^RIFF[^]{4}WEBP/.test(text)) return "webp";
  if (/^GIF8[79]a/.test(text)) return "gif";
  return null;
}

/**
 * Checks whether an image file has plausible dimensions and is complete.
 *
 * @returns also `pixels`, the position of its last pixels, if the file doesn't say where they end. Only a decoder can
 *   then tell whether they are complete.
 */
export async function inspectImage(
  file: FileHandle,
  size: number,
  kind: ImageKind,
): Promise<Finding & { pixels?: number }> {
  const dimensions = await readDimensions(file, size, kind);
  if (!dimensions) return { kind, problem: fileProblems.incomplete };
  const { width, height } = dimensions;
  if (width === 0 || height === 0) return { kind, problem: fileProblems.incomplete };
  const oversized = width > maxSide || height > maxSide || width * height > maxPixels;
  if (oversized) return { kind, problem: fileProblems.oversized };
  const image = isParted(kind) ? await listImageParts(file, size, kind) : null;
  if (!image || image.end !== null) return { kind };
  const checksum = kind === "png" ? 4 : 0;
  return { kind, pixels: getEnd(image.parts.at(-1)!) + checksum };
}

/** Reads the dimensions of an image in pixels from its header. Returns null if it ends too early. */
export function readDimensions(
  file: FileHandle,
  size: number,
  kind: ImageKind,
): Promise<Dimensions | null> {
  return readers[kind](file, size);
}

type ImageReader = (file: FileHandle, size: number) => Promise<Dimensions | null>;

/** Each reader returns null for an image that ends too early. */
const readers: Record<ImageKind, ImageReader> = {
  png: readPng,
  jpg: readJpeg,
  webp: readWebp,
  gif: readGif,
};

async function readPng(file: FileHandle, size: number): Promise<Dimensions | null> {
  const parts = (await listImageParts(file, size, "png"))?.parts ?? [];
  if (parts[0]?.name !== "IHDR" || !parts.some(({ name }) => name === "IDAT")) return null;
  const header = await readAt(file, parts[0].start, 8);
  return { width: header.readUInt32BE(0), height: header.readUInt32BE(4) };
}

/** SOF0 to SOF15, except for three markers with another meaning. */
const startOfFrame = /^c[0-35-79-bd-f]$/;

async function readJpeg(file: FileHandle, size: number): Promise<Dimensions | null> {
  const parts = (await listImageParts(file, size, "jpg"))?.parts ?? [];
  const frame = parts.findLast(({ name }) => startOfFrame.test(name));
  const header = frame && (await readAt(file, frame.start, 5));
  if (header?.length !== 5 || !parts.some(({ name }) => name === "da")) return null;
  return { height: header.readUInt16BE(1), width: header.readUInt16BE(3) };
}

async function readWebp(file: FileHandle, size: number): Promise<Dimensions | null> {
  const [first] = (await listImageParts(file, size, "webp"))?.parts ?? [];
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
  if (!(await listGifBlocks(file, size))) return null;
  const header = await readAt(file, 0, 13);
  return { width: header.readUInt16LE(6), height: header.readUInt16LE(8) };
}

/**
 * A part of an image file. The name of a PNG or WebP chunk has four letters, the name of a JPEG segment is the two
 * hexadecimal digits of its marker. That of a GIF block are two digits for an extension, or "2c" for pixels.
 */
export type ImagePart = {
  name: string;
  /** The start and length of its content, in bytes. */
  start: number;
  length: number;
};

/** Returns the position after a part's content. */
export function getEnd({ start, length }: ImagePart): number {
  return start + length;
}

/**
 * `end` is the end of the image. The file may continue after it. It is null if the file has pixels, but doesn't say
 * where they end.
 */
type ImageParts = { parts: ImagePart[]; end: number | null };

export type PartedKind = "png" | "jpg" | "webp" | "gif";

/** Checks whether the parts of this type of image can be listed. */
export function isParted(extension: string): extension is PartedKind {
  return ["png", "jpg", "webp", "gif"].includes(extension);
}

/** More than any camera writes. A file with more parts is an attack. */
const maxParts = 20_000;

/** Lists the parts of an image without reading their content. Returns null if it ends too early. */
export function listImageParts(
  file: FileHandle,
  size: number,
  kind: PartedKind,
): Promise<ImageParts | null> {
  if (kind === "jpg") return listSegments(file);
  if (kind === "gif") return listGifBlocks(file, size);
  return kind === "png" ? listPngChunks(file, size) : listWebpChunks(file, size);
}

async function listPngChunks(file: FileHandle, size: number): Promise<ImageParts | null> {
  const parts: ImagePart[] = [];
  let end = 8;
  while (parts.length < maxParts) {
    const head = await readAt(file, end, 8);
    const length = head.length < 8 ? Infinity : head.readUInt32BE(0);
    const part = { name: head.toString("latin1", 4), start: end + 8, length };
    if (part.start + length + 4 > size) break;
    end = part.start + length + 4;
    parts.push(part);
    if (part.name === "IEND") return { parts, end };
  }
  // Decoders don't need the end if all pixels are there.
  return parts.some(({ name }) => name === "IDAT") ? { parts, end: null } : null;
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
    // Each chunk starts at an even offset.
    at += 8 + length + (length % 2);
    if (at > end + 1) return null;
  }
  return { parts, end };
}

const gifExtension = 0x21;
const gifPixels = 0x2c;
const gifEnd = 0x3b;

/** Each block starts with its type, and its content is a list of sub-blocks. */
async function listGifBlocks(file: FileHandle, size: number): Promise<ImageParts | null> {
  const header = await readAt(file, 0, 13);
  if (header.length < 13) return null;
  const parts: ImagePart[] = [];
  let end = 13 + getPaletteSize(header[10]!);
  while (parts.length < maxParts) {
    const head = await readAt(file, end, 10);
    const isPixels = head[0] === gifPixels && head.length === 10;
    if (!isPixels && (head[0] !== gifExtension || head.length < 3)) break;
    // The size of the codes comes before the pixels.
    const start = end + (isPixels ? 10 + getPaletteSize(head[9]!) + 1 : 2);
    const after = await findEndOfBlocks(file, start, size);
    if (after === null) return null;
    parts.push({
      name: head.toString("hex", isPixels ? 0 : 1, isPixels ? 1 : 2),
      start,
      length: after - start,
    });
    end = after;
  }
  const hasPixels = parts.some(({ name }) => name === gifPixels.toString(16));
  const isEnded = (await readAt(file, end, 1))[0] === gifEnd;
  return hasPixels ? { parts, end: isEnded ? end + 1 : end } : null;
}

function getPaletteSize(flags: number): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0;
}

/** Finds the end of a list of sub-blocks, each of up to 255 bytes after its length; null if it ends too early. */
async function findEndOfBlocks(file: FileHandle, from: number, size: number) {
  let at = from;
  for await (const { bytes, position } of readWindows(file, from, 0)) {
    while (at < position + bytes.length) {
      const length = bytes[at - position]!;
      at += 1 + length;
      if (length === 0) return at;
    }
    if (at >= size) return null;
  }
  return null;
}

const startOfScan = "da";
const endOfImage = "d9";
/** The markers allowed between two scans. Other markers in the pixel data are damage, which readers skip. */
const betweenScans = /^(?:c4|d9|da|db|dc|dd|fe|e.)$/;

async function listSegments(file: FileHandle): Promise<ImageParts | null> {
  const parts: ImagePart[] = [];
  let at = 2;
  for (let marker = 0; marker < maxParts; marker++) {
    const head = await readAt(file, at, 4);
    const name = head.toString("hex", 1, 2);
    if (head.length < 2) break;
    if (name === endOfImage && head[0] === 0xff) return { parts, end: at + 2 };
    // Like decoders, skips stray bytes, filling, and markers without content.
    if (head[0] !== 0xff || name === "ff" || emptyMarkers.test(name)) {
      at = head[0] !== 0xff ? await findMarker(file, at) : name === "ff" ? at + 1 : at + 2;
      continue;
    }
    if (head.length < 4) break;
    const length = Math.max(0, head.readUInt16BE(2) - 2);
    parts.push({ name, start: at + 4, length });
    at += 4 + length;
    if (name === startOfScan) at = await findEndOfScan(file, at);
  }
  return parts.at(-1)?.name === startOfScan ? { parts, end: null } : null;
}

const emptyMarkers = /^(?:0[01]|d[0-7])$/;
/** In bytes. Few are read at once, since an attack has many stray bytes. */
const strayRange = 1024;

/** Finds the next byte that can start a marker, or the end of the file. */
async function findMarker(file: FileHandle, from: number): Promise<number> {
  for (let position = from; ; position += strayRange) {
    const bytes = await readAt(file, position, strayRange);
    const at = bytes.indexOf(0xff);
    if (at >= 0) return position + at;
    if (bytes.length < strayRange) return position + bytes.length;
  }
}

/** Finds the marker at the end of a scan, or the end of the file. */
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
 * Reads a file from `from` to its end in windows. Each window repeats the last `overlap` bytes of the one before, so
 * that no match is split.
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

/** Reads `length` bytes at `position`, or fewer at the end of the file. */
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
