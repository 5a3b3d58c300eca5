import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Resvg } from "@resvg/resvg-js";

/**
 * Renders the icons in `public/` from `icon.svg`, for programs without SVG support. When the SVG changes, run
 * `node app/ui/brand/make-icons.ts` and commit the result.
 */
export function renderIcons(): Record<string, Buffer> {
  const icon = readFileSync(join(import.meta.dirname, "icon.svg"), "utf8").trim();
  return {
    "favicon.ico": encodeIco([16, 32, 48].map((size) => ({ size, png: renderPng(icon, size) }))),
    "apple-touch-icon.png": renderPng(icon, 180),
    "icon-192.png": renderPng(icon, 192),
    "icon-512.png": renderPng(icon, 512),
    "icon-maskable-512.png": renderPng(addMargin(icon), 512),
  };
}

function renderPng(svg: string, size: number): Buffer {
  return new Resvg(svg, { fitTo: { mode: "width", value: size } }).render().asPng();
}

/** A mask may show only the middle circle, four fifths of the width. */
function addMargin(icon: string): string {
  return icon
    .replace('viewBox="0 0 32 32"', 'viewBox="-9 -9 50 50"')
    .replace("M0 0h32v32H0z", "M-9-9h50v50H-9z");
}

/** Encodes an ICO file, which may contain PNG images. */
function encodeIco(images: { size: number; png: Buffer }[]): Buffer {
  const header = Buffer.alloc(6 + 16 * images.length);
  header.writeUInt16LE(1, 2);
  header.writeUInt16LE(images.length, 4);
  let offset = header.length;
  for (const [place, { size, png }] of images.entries()) {
    const entry = 6 + 16 * place;
    header.writeUInt8(size, entry);
    header.writeUInt8(size, entry + 1);
    header.writeUInt16LE(1, entry + 4);
    header.writeUInt16LE(32, entry + 6);
    header.writeUInt32LE(png.length, entry + 8);
    header.writeUInt32LE(offset, entry + 12);
    offset += png.length;
  }
  return Buffer.concat([header, ...images.map(({ png }) => png)]);
}

if (import.meta.main) {
  for (const [name, bytes] of Object.entries(renderIcons())) {
    writeFileSync(join(import.meta.dirname, "../../../public", name), bytes);
    console.log(name, bytes.length);
  }
}
