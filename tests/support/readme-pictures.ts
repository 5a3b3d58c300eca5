import type { Page } from "@playwright/test";
import sharp from "sharp";

/** The pictures in the README, and the demo screen that each shows at 1280 × 800. */
export const readmePictures = [
  { file: "docs/home.png", path: "/" },
  { file: "docs/jobs.png", path: "/jobs" },
  { file: "docs/workspace.png", path: "/reviewer", as: "meera@example.in", review: "4 h left" },
] as const;

export type ReadmePicture = (typeof readmePictures)[number];

/**
 * Opens the screen of a picture and takes it, as a PNG with few colors. Dates and times are the same on every day, so
 * that a later picture of an unchanged screen equals it.
 *
 * @param page signed in as the person of the picture, and live after `goto`
 */
export async function takeReadmePicture(page: Page, picture: ReadmePicture): Promise<Buffer> {
  await page.goto(picture.path);
  if ("review" in picture) {
    const card = page.getByRole("listitem").filter({ hasText: picture.review });
    await card.getByRole("link", { name: "Review This Order" }).click();
    await page.locator('[id^="pin-"]').first().waitFor();
    // The pages are prepared one by one on the first visit.
    await page.getByText("Preparing page").waitFor({ state: "detached" });
  }
  await page.evaluate(fixDates);
  await page.evaluate(async () => {
    await document.fonts.ready;
    for (const image of document.images) image.loading = "eager";
    await Promise.all([...document.images].map((image) => image.decode().catch(() => {})));
  });
  const taken = await page.screenshot({ animations: "disabled" });
  return sharp(taken).png({ palette: true }).toBuffer();
}

/** Runs in the page. */
function fixDates(): void {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const node = texts.currentNode as Text;
    node.data = node.data
      .replace(/\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)\b/g, "Tue")
      .replace(/\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d\d?\b/g, "Nov 24")
      .replace(/\b20\d\d\b/g, "2026")
      .replace(/\b\d\d?:\d\d [AP]M\b/g, "3:04 PM");
  }
}

/**
 * Compares two pictures at a quarter of their size, where the edges of letters look the same on every computer.
 *
 * @returns the share of points that differ visibly, from 0 to 1
 */
export async function comparePictures(one: Buffer, other: Buffer): Promise<number> {
  const [first, second] = await Promise.all([one, other].map(readSmall));
  if (first!.length !== second!.length) return 1;
  const differing = first!.filter((value, index) => Math.abs(value - second![index]!) > 24);
  return differing.length / first!.length;
}

async function readSmall(picture: Buffer): Promise<Uint8Array> {
  const { width } = await sharp(picture).metadata();
  return new Uint8Array(
    await sharp(picture)
      .flatten()
      .toColorspace("srgb")
      .resize(Math.round(width / 4))
      .raw()
      .toBuffer(),
  );
}
