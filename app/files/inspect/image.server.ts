import type { FileHandle } from "node:fs/promises";
import { readAt } from "./file-bytes.server.ts";
import type { FileKind } from "../rules.ts";
import { type Finding, flaws } from "./finding.ts";
import { listParts } from "./image-parts.server.ts";

const maxSide = 40_000;
const maxPixels = 268_435_456;

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
