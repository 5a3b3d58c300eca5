import { open, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { detectImageKind, maxSide, readAt, readDimensions } from "../inspect/image.server.ts";
import type { PageText } from "../inspect/page-text.ts";
import { noText } from "../inspect/pdfium-text.server.ts";
import { openPdfium, type PdfDocument, writePdfAgain } from "../inspect/pdfium.server.ts";
import { openPicture } from "./open-picture.server.ts";
import {
  bandHeight,
  missingPages,
  maxPages,
  getPictureName,
  type PictureWidth,
  pictureWidths,
  pointsOfPixel,
  type RenderableKind,
} from "./rendering.ts";

/** A job of the child process, which renders the pages of a file. */
export type RenderJob = {
  kind: RenderableKind;
  /** Absolute path of the file. */
  path: string;
  /** Absolute path of the folder for the pictures. */
  folder: string;
  /** The number of pages that are already rendered. */
  after: number;
  /** True to render the file as rewritten by the engine, after a crash. */
  rewrite?: true;
};

/** A page whose pictures are in the folder, named by `getPictureName`. */
export type RenderedPage = {
  number: number;
  /** The number of pages of the file. */
  of: number;
  /** In points (1/72 inch). */
  width: number;
  height: number;
  /** The pictures from top to bottom, as fractions of the page's height. Empty for an original, which has no pictures. */
  bands: { top: number; height: number }[];
  text: PageText;
};

export type RenderAnswer =
  | { page: RenderedPage }
  /** The number of pages of the file. Not all of them may have been rendered. */
  | { pageCount: number }
  /** `crashed` is true if the engine crashed. */
  | { problem: string; crashed?: true };

/** Renders the pages of a file one by one, and reports each once its pictures are in the folder. */
export async function renderFile(
  job: RenderJob,
  report: (answer: RenderAnswer) => void,
): Promise<RenderAnswer> {
  if (job.kind === "original") return measureOriginal(job, report);
  return job.kind === "pdf" ? renderPdf(job, report) : renderImage(job, report);
}

type Report = (answer: RenderAnswer) => void;

async function renderPdf(job: RenderJob, report: Report): Promise<RenderAnswer> {
  const bytes = await readFile(job.path);
  const pdfium = await openPdfium();
  try {
    const document = pdfium.open((job.rewrite && (await writePdfAgain(bytes))) || bytes);
    if (document === "password") return { problem: missingPages.password };
    if (document === "damaged" || document.pageCount === 0)
      return { problem: missingPages.damaged };
    return await renderPages(document, job, report);
  } catch (error) {
    const failure = pdfium.failureOf(error);
    if (failure === null) throw error;
    if (failure === "oversized") return { problem: missingPages.oversized };
    return { problem: missingPages.crashed, crashed: true };
  }
}

async function renderPages(
  { pageCount, openPage }: PdfDocument,
  { folder, after }: RenderJob,
  report: Report,
): Promise<RenderAnswer> {
  let written = Promise.resolve();
  try {
    for (let number = after + 1; number <= Math.min(pageCount, maxPages); number++) {
      const page = openPage(number - 1);
      if (!page) return { problem: missingPages.damaged };
      const { width, height } = page;
      const size = getPictureSize(page);
      const text = page.text();
      const strips = splitIntoStrips(size.height);
      for (const [band, strip] of strips.entries()) {
        const pixels = page.picture(size, strip);
        // Renders one band while the last one is encoded. More would take too much memory.
        await written;
        const raw = { width: size.width, height: strip.height, channels: 4 } as const;
        written = writePictures(pixels, raw, folder, { page: number, band });
      }
      page.close();
      const bands = toStripShares(strips, size.height);
      written = written.then(() =>
        report({ page: { number, of: pageCount, width, height, bands, text } }),
      );
    }
    return { pageCount };
  } finally {
    // Keeps the last page in every case.
    await written;
  }
}

async function renderImage(
  { path, folder, after }: RenderJob,
  report: Report,
): Promise<RenderAnswer> {
  if (after > 0) return { pageCount: 1 };
  const image = await readImage(path);
  if ("problem" in image) return image;
  const { pixels, raw, width, height } = image;
  const strips = splitIntoStrips(raw.height);
  for (const [band, { top, height: bandRows }] of strips.entries()) {
    const row = raw.width * raw.channels;
    const part = pixels.subarray(top * row, (top + bandRows) * row);
    await writePictures(part, { ...raw, height: bandRows }, folder, { page: 1, band });
  }
  const sides = { width: width * pointsOfPixel, height: height * pointsOfPixel };
  const bands = toStripShares(strips, raw.height);
  report({ page: { number: 1, of: 1, ...sides, bands, text: noText } });
  return { pageCount: 1 };
}

/** Reads only the header, without pixels or animation frames. */
async function measureOriginal({ path }: RenderJob, report: Report): Promise<RenderAnswer> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const head = await readAt(file, 0, 16);
    const kind = detectImageKind(head);
    const sides = kind && (await readDimensions(file, size, kind));
    if (!sides?.width || !sides.height) return { problem: missingPages.damaged };
    const [width, height] = [sides.width * pointsOfPixel, sides.height * pointsOfPixel];
    report({ page: { number: 1, of: 1, width, height, bands: [], text: noText } });
    return { pageCount: 1 };
  } finally {
    await file.close();
  }
}

type ReadImage = { pixels: Buffer; raw: Raw; width: number; height: number };
type Raw = { width: number; height: number; channels: 1 | 2 | 3 | 4 };

/** Reads an image as browsers show it, no wider than the large picture, with its original size. */
async function readImage(path: string): Promise<ReadImage | { problem: string }> {
  try {
    const { picture, ...sides } = await openPicture(path);
    const { data, info } = await picture.raw().toBuffer({ resolveWithObject: true });
    const { width, height, channels } = info;
    return { pixels: data, raw: { width, height, channels }, ...sides };
  } catch (error) {
    const isLarge = error instanceof Error && /pixel limit|memory/i.test(error.message);
    return { problem: isLarge ? missingPages.oversized : missingPages.damaged };
  }
}

/**
 * Returns the size of the large picture. It is narrower if its height would exceed the limit for uploads.
 */
function getPictureSize({ width, height }: { width: number; height: number }) {
  const scale = Math.min(pictureWidths.large / width, maxSide / height);
  return {
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
  };
}

type Strip = { top: number; height: number };

function splitIntoStrips(height: number): Strip[] {
  return Array.from({ length: Math.ceil(height / bandHeight) }, (_, band) => {
    const top = band * bandHeight;
    return { top, height: Math.min(bandHeight, height - top) };
  });
}

function toStripShares(strips: Strip[], whole: number): Strip[] {
  return strips.map(({ top, height }) => ({ top: top / whole, height: height / whole }));
}

/** Fast, at the cost of about 10% more bytes than the slowest encoding. */
const encoding = { quality: 80, effort: 2 };

async function writePictures(
  pixels: Buffer,
  raw: Raw,
  folder: string,
  place: { page: number; band: number },
): Promise<void> {
  const widths = Object.entries(pictureWidths) as [PictureWidth, number][];
  await Promise.all(
    widths.map(async ([name, pixelsWide]) => {
      const width = Math.min(raw.width, pixelsWide);
      const height = Math.max(1, Math.round((raw.height * width) / raw.width));
      const picture = await sharp(pixels, { raw })
        .removeAlpha()
        .resize({ width, height, fit: "fill" })
        .webp(encoding)
        .toBuffer();
      await writeFile(join(folder, getPictureName({ ...place, width: name })), picture);
    }),
  );
}
