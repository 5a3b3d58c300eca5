import { open } from "node:fs/promises";
import sharp, { type Sharp } from "sharp";
import { detectImageKind, listImageParts, maxPixels, readAt } from "../inspect/image.server.ts";
import { readWithProfile } from "./png-colours.server.ts";
import { pictureWidths } from "./rendering.ts";

/** The image library converts wider pixels with the wrong profile, so they are narrowed to 8 bits first. */
const narrowed: Readonly<Record<string, "srgb" | "b-w">> = { rgb16: "srgb", grey16: "b-w" };

/**
 * Opens a picture upright, on white, in the colours that browsers show, and no wider than the large picture.
 *
 * @param failOn "none" accepts a damaged file
 * @returns the picture, whose pixels are sRGB, and its original sides
 */
export async function openPicture(
  path: string,
  failOn: "error" | "none" = "error",
): Promise<{ picture: Sharp; width: number; height: number }> {
  const input = (await readWithProfile(path)) ?? (await readWithEnd(path)) ?? path;
  const picture = sharp(input, { limitInputPixels: maxPixels, failOn });
  const { autoOrient, space } = await picture.metadata();
  const narrow = narrowed[space];
  if (narrow) picture.pipelineColourspace(narrow);
  picture
    .autoOrient()
    .resize({ width: pictureWidths.large, withoutEnlargement: true })
    .flatten({ background: "#fff" })
    .toColourspace("srgb");
  return { picture, ...autoOrient };
}

const endOfJpeg = Buffer.from("ffd9", "hex");

/** Reads a JPEG whose last pixels are followed by nothing, and adds its end. Null for any other file. */
async function readWithEnd(path: string): Promise<Buffer<ArrayBuffer> | null> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const isJpeg = detectImageKind(await readAt(file, 0, 16)) === "jpg";
    const hasEnd = (await readAt(file, Math.max(0, size - 2), 2)).equals(endOfJpeg);
    if (!isJpeg || hasEnd || (await listImageParts(file, size, "jpg"))?.end !== null) return null;
    return Buffer.concat([await file.readFile(), endOfJpeg]);
  } finally {
    await file.close();
  }
}
