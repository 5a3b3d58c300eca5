import sharp, { type OverlayOptions, type Sharp } from "sharp";
import type { Area } from "../rules.ts";

/** The same color in both themes reveals nothing of the page. */
const black = { r: 17, g: 17, b: 17 };

/**
 * Opens the picture of a band of a page with areas blacked out in its pixels.
 *
 * @param areas as shares of the page
 * @param band its place, as shares of the page's height
 */
export async function redactAreas(
  bytes: Buffer,
  areas: readonly Area[],
  band: { top: number; height: number },
): Promise<Sharp> {
  const picture = sharp(bytes);
  const { width, height } = await picture.metadata();
  const covers = areas.flatMap((area): OverlayOptions[] => {
    const rows = (share: number) => ((share - band.top) / band.height) * height;
    const [left, right] = toPixelRange(area.x * width, (area.x + area.width) * width, width);
    const [top, bottom] = toPixelRange(rows(area.y), rows(area.y + area.height), height);
    if (right <= left || bottom <= top) return [];
    const size = { width: right - left, height: bottom - top };
    return [{ input: { create: { ...size, channels: 3, background: black } }, left, top }];
  });
  return picture.composite(covers);
}

/** Converts a range to pixels, with one extra on each side, so that no part of a letter remains. */
function toPixelRange(from: number, to: number, size: number): [number, number] {
  return [Math.max(0, Math.floor(from) - 1), Math.min(size, Math.ceil(to) + 1)];
}
