import sharp from "sharp";
import { fileProblems } from "../finding.ts";
import { formatBytes } from "../rules.ts";
import { detectImageKind } from "./image.server.ts";

/** A job of the child process, which makes a small square picture of an image. */
export type SquareJob = {
  bytes: Uint8Array;
  /** In pixels. */
  side: number;
  /** The limit of the picture's size, in bytes. */
  maxBytes: number;
};

/** The picture, a WebP image without metadata, or the problem with the image in a complete sentence. */
export type SquareAnswer = { picture: Uint8Array } | { problem: string };

/** A logo for a poster has fewer pixels, and these need little memory. */
const maxPixels = 40_000_000;

/** A drawing is small at the first. Only a photo of noise needs the last. */
const qualities = [90, 60, 30];

/** Fits an image into a transparent square. */
export async function renderSquare({ bytes, side, maxBytes }: SquareJob): Promise<SquareAnswer> {
  const image = Buffer.from(bytes);
  if (isAnimatedPng(image)) return { problem: fileProblems.animated };
  try {
    // Reads only the header.
    const { width, height, pages = 1 } = await sharp(image, { limitInputPixels: false }).metadata();
    if (pages > 1) return { problem: fileProblems.animated };
    if (width * height > maxPixels) return { problem: fileProblems.oversized };
    const pixels = await sharp(image, { limitInputPixels: maxPixels, failOn: "error" })
      .autoOrient()
      .resize(side, side, { fit: "contain", background: { r: 0, g: 0, b: 0, alpha: 0 } })
      .toColourspace("srgb")
      .png()
      .toBuffer();
    for (const quality of qualities) {
      const picture = await sharp(pixels).webp({ quality }).toBuffer();
      if (picture.length <= maxBytes) return { picture };
    }
  } catch {
    return { problem: fileProblems.incomplete };
  }
  throw new Error(`A picture of ${side} pixels is larger than ${formatBytes(maxBytes)}.`);
}

/** The decoder reads the first picture of an animation, and doesn't say that there are more. */
function isAnimatedPng(image: Buffer): boolean {
  if (detectImageKind(image) !== "png") return false;
  return image.subarray(0, image.indexOf("IDAT")).includes("acTL");
}
