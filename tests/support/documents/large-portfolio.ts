import sharp from "sharp";
import { joinPdf, streamObject } from "./pdf.ts";

/** The bytes of a page without its photo. */
const besidePhotograph = 1000;

/**
 * Builds a portfolio of about this size. Each page is a large photo under a few lines of text.
 *
 * @param pageHeight in points; the width is 960
 */
export async function largePortfolio(
  count: number,
  bytes: number,
  pageHeight = 820,
): Promise<Buffer> {
  const [width, height] = [1600, 1000];
  const noise = { type: "gaussian", mean: 128, sigma: 30 } as const;
  const picture = sharp({ create: { width, height, channels: 3, background: "black", noise } });
  let photograph = await picture.clone().jpeg({ quality: 50 }).toBuffer();
  for (let quality = 52; quality <= 100; quality += 1) {
    const finer = await picture.clone().jpeg({ quality }).toBuffer();
    if ((finer.length + besidePhotograph) * count > bytes) break;
    photograph = finer;
  }
  const lines = Array.from(
    { length: 12 },
    (_, line) =>
      `BT /F1 14 Tf 60 ${200 - line * 15} Td (What changed for people, line ${line}) Tj ET`,
  );
  const content = ["q 960 0 0 600 0 220 cm /X Do Q", ...lines].join("\n");
  const kids = Array.from({ length: count }, (_, page) => `${page * 2 + 5} 0 R`).join(" ");
  const size = `/Width ${width} /Height ${height} /ColorSpace /DeviceRGB /BitsPerComponent 8`;
  return joinPdf([
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Kids [${kids}] /Count ${count} >>`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    streamObject(Buffer.from(content)),
    ...Array.from({ length: count }, (_, page) => {
      const objects = `/Font << /F1 3 0 R >> /XObject << /X ${page * 2 + 6} 0 R >>`;
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 960 ${pageHeight}] /Contents 4 0 R /Resources << ${objects} >> >>`,
        streamObject(photograph, `/Type /XObject /Subtype /Image ${size} /Filter /DCTDecode`),
      ];
    }).flat(),
  ]);
}
