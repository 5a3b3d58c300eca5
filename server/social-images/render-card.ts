import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Resvg } from "@resvg/resvg-js";
import satori from "satori";
import sharp from "sharp";
import { type SocialCard, socialImageSize } from "../../app/ui/meta.ts";
import { buildCardLayout } from "./lay-out.ts";
import { chart } from "./chart.ts";

const { width, height } = socialImageSize;

/** Static instances of the product's fonts, and Devanagari; see app/ui/fonts/make.py. */
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

/** Draws a card as a PNG of 1200 by 630. Blocks its thread for about 30 ms. */
export async function drawCard(card: SocialCard, productName: string): Promise<Uint8Array> {
  // The layout is plain objects, because this runs without a JSX compiler.
  const layout = buildCardLayout(card, productName, card.hasPlate ? await loadPlate() : null);
  const text = await satori(layout as never, { width, height, fonts });
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${background}${text}</svg>`;
  return new Resvg(drawing, { font: { loadSystemFonts: false } }).render().asPng();
}

const platePicture = "../../app/review-customer/example/pictures/crop-wide.webp";

/** Loads the example's crop as the data URL of a PNG, since the renderer reads no WebP. */
async function loadPlate(): Promise<string> {
  const png = await sharp(join(import.meta.dirname, platePicture))
    .png()
    .toBuffer();
  return `data:image/png;base64,${png.toString("base64")}`;
}

/** The background of a card: paper, contour lines, and a frame that alternates ink and paper. */
const background = `
<rect width="1200" height="630" fill="${chart.paper}"/>
<path d="M0 470C210 430 330 540 560 505S930 400 1200 450V630H0z" fill="${chart.lowland}"/>
<g fill="none" stroke="${chart.contour}" stroke-width="1.3" transform="translate(-250 -55)">${loadContours()}</g>
<path d="M440 562C560 500 640 610 770 566S900 470 984 505" fill="none" stroke="${chart.accent}" stroke-width="4.5" stroke-dasharray="2 13" stroke-linecap="round"/>
<path d="M1000 526c-13-15-18-23-18-31a18 18 0 0 1 36 0c0 8-5 16-18 31z" fill="${chart.accent}"/>
<circle cx="1000" cy="495" r="6.5" fill="${chart.sheet}"/>
<rect width="1200" height="24" fill="${chart.sheet}"/>
${buildFrame()}
<path d="M0 24.75h1200" stroke="${chart.ink}" stroke-width="1.5"/>`;

function loadContours(): string {
  const svg = readFileSync(join(import.meta.dirname, "../../app/ui/brand/contours.svg"), "utf8");
  return svg.replace(/^<svg[^>]*>|<\/svg>\s*$/g, "");
}

function buildFrame(): string {
  const bars = Array.from({ length: 10 }, (_, place) => `M${place * 120} 0h60v24h-60z`);
  return `<path d="${bars.join("")}" fill="${chart.ink}"/>`;
}
