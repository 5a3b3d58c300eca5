import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Resvg } from "@resvg/resvg-js";
import satori from "satori";
import { type SocialCard, socialImageSize } from "../../app/ui/meta.ts";
import { layOut } from "./lay-out.ts";
import { ground } from "./ground.ts";

const { width, height } = socialImageSize;

/** Static cuts of the product's faces, and Devanagari; see app/ui/fonts/make.py. */
const fonts = [
  ["Chart Display", "display"],
  ["Chart Text", "text"],
  ["Chart Devanagari", "devanagari"],
  ["Chart Extended", "display-extended"],
].map(([name = "", file]) => ({
  name,
  data: readFileSync(join(import.meta.dirname, "fonts", `${file}.ttf`)),
  weight: 400 as const,
  style: "normal" as const,
}));

/** Draws a card as PNG, 1200 by 630. Takes about 30 ms, in which nothing else happens. */
export async function drawCard(card: SocialCard, productName: string): Promise<Uint8Array> {
  // The tree is plain objects, as this runs without a compiler for JSX.
  const words = await satori(layOut(card, productName) as never, { width, height, fonts });
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${ground}${words}</svg>`;
  return new Resvg(drawing, { font: { loadSystemFonts: false } }).render().asPng();
}
