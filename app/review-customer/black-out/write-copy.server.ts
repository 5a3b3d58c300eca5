import { PDFDocument } from "@cantoo/pdf-lib";
import { redactAreas } from "../../annotations/hiding/redact-areas.server.ts";
import { closeHairlineGaps } from "../../annotations/hiding/hidden-areas.ts";
import type { Area } from "../../annotations/rules.ts";
import type { PageBox } from "../../reviews/black-out.ts";

/** A page of the original, whose sides are in points. */
export type CopiedPage = {
  number: number;
  width: number;
  height: number;
  bands: { top: number; height: number }[];
};

/** PDF readers open no longer page, in points. */
const maxPageSide = 14_400;

/** The qualities to try, best first. Pictures are 1,600 pixels wide: 193 dots per inch of an A4 page. */
const qualities = [90, 75, 55, 35];

/** The compression of pictures smears letters this far, as a share of the page's width: 4 of 1,600 pixels. */
const smear = 0.0025;

/** Extends an area on each side. @param ratio the page's width divided by its height */
function withMargin({ x, y, width, height }: Area, ratio: number): Area {
  const down = smear * ratio;
  return { x: x - smear, y: y - down, width: width + 2 * smear, height: height + 2 * down };
}

/**
 * Writes a PDF of page pictures in which the boxes are black. It has no text and no metadata, and nothing else of the
 * original.
 *
 * @param getPicture returns the picture of a band of a page
 * @param maxBytes the limit of the PDF, for which pictures get smaller
 * @returns null if the PDF is larger in every quality
 */
export async function writeCopy(
  pages: readonly CopiedPage[],
  boxes: readonly PageBox[],
  getPicture: (page: number, band: number) => Promise<Buffer>,
  maxBytes: number,
): Promise<Uint8Array | null> {
  for (const quality of qualities) {
    const bytes = await encodePages(pages, boxes, getPicture, { quality, maxBytes });
    if (bytes && bytes.length <= maxBytes) return bytes;
  }
  return null;
}

async function encodePages(
  pages: readonly CopiedPage[],
  boxes: readonly PageBox[],
  getPicture: (page: number, band: number) => Promise<Buffer>,
  { quality, maxBytes }: { quality: number; maxBytes: number },
): Promise<Uint8Array | null> {
  // The library would write its name and the time.
  const document = await PDFDocument.create({ updateMetadata: false });
  let size = 0;
  for (const page of pages) {
    const ratio = page.width / page.height;
    const own = boxes.filter((box) => box.page === page.number);
    const areas = closeHairlineGaps(
      own.map((box) => withMargin(box, ratio)),
      ratio,
    );
    const scale = Math.min(1, maxPageSide / Math.max(page.width, page.height));
    const sheet = document.addPage([page.width * scale, page.height * scale]);
    for (const [index, band] of page.bands.entries()) {
      const picture = await redactAreas(await getPicture(page.number, index), areas, band);
      const jpeg = await picture.jpeg({ quality, chromaSubsampling: "4:4:4" }).toBuffer();
      size += jpeg.length;
      if (size > maxBytes) return null;
      const image = await document.embedJpg(jpeg);
      const height = band.height * sheet.getHeight();
      const y = sheet.getHeight() * (1 - band.top) - height;
      sheet.drawImage(image, { x: 0, y, width: sheet.getWidth(), height });
    }
  }
  return document.save({ objectsPerTick: Infinity });
}
