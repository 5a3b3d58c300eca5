import { join } from "node:path";
import type { PDFPage } from "@cantoo/pdf-lib";
import sharp from "sharp";
import { maxPixels } from "../../files/inspect/image.server.ts";
import type { AnnotatedSheet } from "./annotate-job.ts";
import type { Book } from "../pdf/book.server.ts";

/** Readers need not take longer sides; in points. */
const longestSide = 14_400;
/** Of a picture that nobody has measured, in points: as large as it is on a screen, within reason. */
const widest = 960;
const pointsOfPixel = 0.75;

/**
 * Makes a page of the pictures of a sheet.
 *
 * @param nextPage gives the paper, which is in its place in the document.
 * @returns null for a sheet whose pictures cannot be read.
 */
export async function pageOfPictures(
  book: Book,
  folder: string,
  sheet: AnnotatedSheet,
  nextPage: (size: [number, number]) => PDFPage,
): Promise<PDFPage | null> {
  const pictures = [];
  for (const { file, height } of sheet.pictures) {
    const picture = await readPicture(join(folder, file));
    if (!picture) return null;
    pictures.push({ ...picture, share: height });
  }
  const [first] = pictures;
  if (!first) return null;
  const wide = sheet.width || Math.min(widest, first.width * pointsOfPixel);
  const high = sheet.height || (wide * first.height) / first.width;
  const scale = Math.min(1, longestSide / Math.max(wide, high));
  const [width, height] = [wide * scale, high * scale];
  const page = nextPage([width, height]);
  let top = height;
  for (const { jpeg, share } of pictures) {
    const image = await book.document.embedJpg(jpeg);
    top -= share * height;
    book.drawOn(page).image(image.ref, 0, top, width, share * height);
  }
  return page;
}

/** As a JPEG, which is what a document takes; upright, on white, no wider than anybody sees it. */
async function readPicture(path: string) {
  try {
    const { data, info } = await sharp(path, { limitInputPixels: maxPixels, failOn: "none" })
      .autoOrient()
      .resize({ width: 1600, withoutEnlargement: true })
      .flatten({ background: "#fff" })
      .toColourspace("srgb")
      .jpeg({ quality: 85, chromaSubsampling: "4:4:4" })
      .toBuffer({ resolveWithObject: true });
    return { jpeg: data, width: info.width, height: info.height };
  } catch {
    return null;
  }
}
