import type { FileHandle } from "node:fs/promises";
import { readAt, windows } from "./file-bytes.server.ts";

/**
 * A part of an image file: the chunk of a PNG or WebP under its four letters, the segment of a JPEG
 * under the two hexadecimal digits of its marker.
 */
export type ImagePart = {
  name: string;
  /** Where its content begins, and how long that is, in bytes. */
  start: number;
  length: number;
};

/** `end` is where the image ends; what comes behind is no part of it. */
export type ImageParts = { parts: ImagePart[]; end: number };

export type PartedKind = "png" | "jpg" | "webp";

/** Enough for any camera; a file that has more has been made to keep the reader busy. */
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
/** What may come between two scans; any other marker among the pixels is damage that readers pass. */
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
    if (name === startOfScan) at = await endOfScan(file, at);
  }
  return null;
}

/** Where the marker stands that ends the pixels of a scan; the end of the file without one. */
async function endOfScan(file: FileHandle, from: number): Promise<number> {
  let end = from;
  for await (const { bytes, position } of windows(file, from, 1)) {
    for (let at = bytes.indexOf(0xff); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
      if (betweenScans.test(bytes.toString("hex", at + 1, at + 2))) return position + at;
    }
    end = position + bytes.length;
  }
  return end;
}
